/** Descriptions of the `/_mock` calls, for docs/control-api.openapi.json: everything a request format does not say. */
import { recordedMatch } from '../../../mock/pipeline/rule-formats.ts';
import { JSON_MEMBERS } from '../../../mock/server/control/filter-parameters.ts';
import { openObject, responseSchemas } from './control-schemas.ts';

export interface ControlOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Descriptions of the path parameters by name. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The name of the schema of the request body. */
  readonly request?: string;
  readonly status?: number;
  /** JSON Schema of a successful response; absent if it is a web page. */
  readonly response?: object;
}

/** Groups of calls by the first segment of their path. */
export const controlTags: readonly { readonly name: string; readonly description: string; readonly paths: string[] }[] =
  [
    {
      name: 'state',
      description: 'Health, target, clock, reset and snapshots of a world.',
      paths: ['health', 'target', 'openapi.json', 'clock', 'reset', 'snapshot'],
    },
    {
      name: 'requests',
      description: 'Recorded requests, and what they caused.',
      paths: ['requests', 'verify', 'invocations', 'outbox'],
    },
    { name: 'faults', description: 'Fault rules and scripted responses.', paths: ['faults', 'responses'] },
    {
      name: 'resources',
      description: 'Resources, their deployments, and credentials.',
      paths: ['deployments', 'tokens', 'resources'],
    },
    { name: 'worlds', description: 'Further worlds of the same port.', paths: ['worlds'] },
  ];

const requestFilters = Object.fromEntries(
  Object.entries(recordedMatch.shape).map(([name, optional]) => {
    const { description = '' } = optional.unwrap();
    return [name, JSON_MEMBERS.has(name) ? `As JSON. ${description}` : description];
  }),
);

/** By method and path below `/_mock`. Pages of the console and of the reference are not included. */
export const controlOperations: Readonly<Record<string, ControlOperation>> = {
  'GET /health': {
    operationId: 'getHealth',
    summary: 'Returns as soon as the mock serves requests.',
    response: responseSchemas.Health,
  },
  'GET /target': {
    operationId: 'getTarget',
    summary: 'Returns the target file of this world.',
    response: responseSchemas.Target,
  },
  'GET /openapi.json': {
    operationId: 'getOpenapi',
    summary: 'Lists the OpenAPI documents of the API, with this mock as their server.',
    response: responseSchemas.DocumentList,
  },
  'GET /clock': { operationId: 'getClock', summary: 'Returns the virtual time.', response: responseSchemas.Clock },
  'PUT /clock': {
    operationId: 'putClock',
    request: 'ClockChange',
    summary: 'Changes the virtual clock.',
    description: 'Changes the mode first, then sets the time, then advances it. At least one key is required.',
    response: responseSchemas.Clock,
  },
  'POST /reset': {
    operationId: 'postReset',
    summary: 'Restores the initial world.',
    description: 'Also restores its clock, empties the journal, and removes all fault rules and scripted responses.',
    response: responseSchemas.Clock,
  },
  'GET /snapshot': {
    operationId: 'getSnapshot',
    summary: 'Exports the whole world.',
    response: { ...openObject, required: ['snapshot'] },
  },
  'PUT /snapshot': {
    operationId: 'putSnapshot',
    request: 'Snapshot',
    summary: 'Replaces the world with an exported one.',
    response: responseSchemas.Clock,
  },
  'GET /requests': {
    operationId: 'getRequests',
    summary: 'Lists the newest requests, oldest first.',
    description: 'With `Accept: text/event-stream`, streams requests; `Last-Event-ID: 0` starts with recorded ones.',
    query: {
      ...requestFilters,
      wait: 'Seconds of real time to wait for matching requests, up to 60, such as 0.5. Default: no wait.',
      atLeast: 'How many matching requests end the wait. Default: 1.',
    },
    response: responseSchemas.RecordedRequestList,
  },
  'DELETE /requests': {
    operationId: 'deleteRequests',
    summary: 'Forgets the requests that match the filters, or all of them.',
    query: requestFilters,
    response: responseSchemas.ForgottenRequests,
  },
  'POST /verify': {
    operationId: 'postVerify',
    request: 'Verification',
    summary: 'Checks which requests were received, how often, in which order, and with which query and body.',
    description: 'Considers the recorded requests that have a response; bodies are recorded up to 4000 characters.',
    response: responseSchemas.VerificationResult,
  },
  'GET /invocations': {
    operationId: 'getInvocations',
    summary: 'Lists the newest calls of agents, models, functions and jobs, oldest first.',
    query: {
      workspace: 'A workspace.',
      workload: 'Such as `agents/demo-agent`.',
      by: '`call`, `async` or `cron`.',
    },
    response: responseSchemas.InvocationList,
  },
  'GET /outbox': {
    operationId: 'getOutbox',
    summary: 'Lists callbacks of async requests with every attempt to post them, and messages that tools sent.',
    description:
      'Each list begins with the oldest. `signature` is the value of `X-Svc-Signature`, computed over `<time in seconds>.<JSON of body>`.',
    response: responseSchemas.Outbox,
  },
  'GET /faults': {
    operationId: 'getFaults',
    summary: 'Returns the fault rules and their counts.',
    response: responseSchemas.FaultState,
  },
  'PUT /faults': {
    operationId: 'putFaults',
    request: 'FaultRules',
    summary: 'Replaces all fault rules.',
    response: responseSchemas.FaultState,
  },
  'DELETE /faults': {
    operationId: 'deleteFaults',
    summary: 'Removes all fault rules.',
    response: responseSchemas.FaultState,
  },
  'GET /responses': {
    operationId: 'getResponses',
    summary: 'Returns the scripted responses and their counts.',
    response: responseSchemas.ScriptState,
  },
  'PUT /responses': {
    operationId: 'putResponses',
    request: 'ScriptedResponses',
    summary: 'Replaces all scripted responses.',
    description: 'The first script that matches a request responds, with the next response of its sequence.',
    response: responseSchemas.ScriptState,
  },
  'DELETE /responses': {
    operationId: 'deleteResponses',
    summary: 'Removes all scripted responses.',
    response: responseSchemas.ScriptState,
  },
  'PUT /deployments/{collection}/{name}': {
    operationId: 'putDeployment',
    path: { collection: 'The collection of the resource.', name: 'The name of the resource.' },
    request: 'DeploymentOutcome',
    summary: 'Ends the deployment of a resource now, as deployed or failed.',
    description: 'A deployment that has ended can be ended again. Returns the resource.',
    query: { workspace: 'The workspace of the resource. Default: that of the target.' },
    response: openObject,
  },
  'POST /tokens': {
    operationId: 'postTokens',
    request: 'TokenRequest',
    summary: 'Issues a credential for a new caller.',
    description: 'Without a body: a JWT with scope admin and all roles, valid for an hour.',
    status: 201,
    response: responseSchemas.IssuedToken,
  },
  'GET /resources': {
    operationId: 'getResources',
    summary: 'Lists all resources of the world.',
    description: 'With `name`, each listed resource also has its full representation.',
    query: {
      home: 'A workspace, or `account:ID`.',
      collection: 'Such as `agents` or `sandboxes/demo-box/previews`.',
      name: 'The name of a resource.',
    },
    response: responseSchemas.ResourceList,
  },
  'GET /worlds': {
    operationId: 'getWorlds',
    summary: 'Lists the worlds of this port, the initial one first.',
    response: responseSchemas.WorldList,
  },
  'POST /worlds': {
    operationId: 'postWorlds',
    request: 'NewWorld',
    summary: 'Creates another world on this port.',
    description: 'Omitted keys are as the mock was started.',
    status: 201,
    response: responseSchemas.NewWorldAccess,
  },
  'DELETE /worlds/{id}': {
    operationId: 'deleteWorld',
    path: { id: 'The id of the world.' },
    summary: 'Removes a world and ends its open connections.',
    response: responseSchemas.RemovedWorld,
  },
};
