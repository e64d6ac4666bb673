/** Descriptions of the `/_mock` calls, for docs/control-api.openapi.json: everything a request format does not say. */
import { recordedMatch } from '../../../mock/pipeline/rule-formats.ts';
import { JSON_MEMBERS } from '../../../mock/server/control/filter-parameters.ts';

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

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const time = { type: 'string', format: 'date-time', description: 'Virtual time, RFC 3339 in UTC.' } as const;
/** Its content is described elsewhere, or may be anything. */
const openObject = { type: 'object', 'x-not-shown': true, additionalProperties: true } as const;
const list = (items: object) => ({ type: 'array', items }) as const;
const nullable = (schema: { readonly type: string }) => ({ ...schema, type: [schema.type, 'null'] });

/** All members are required unless their name ends with a question mark. */
const object = (members: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(members).filter((name) => !name.endsWith('?')),
});

const clock = object({ now: time, mode: { enum: ['running', 'frozen'] } });
const target = { ...openObject, title: 'A target file' };
const body = nullable(openObject);

const entry = object({
  number: { ...integer, description: 'Counts all requests since the last reset, from 1.' },
  time,
  method: string,
  path: string,
  query: list(list(string)),
  headers: { type: 'object', additionalProperties: string, description: 'Credentials are redacted.' },
  body: { ...body, description: 'The request body: text, and whether it was cut; null if none was read.' },
  operation: { ...nullable(string), description: 'The operationId; null for an unknown path.' },
  status: { ...nullable(integer), description: 'Null without a response.' },
  answer: { ...body, description: 'The response body; null for streams.' },
  'reason?': { ...string, description: 'Why the request was refused.' },
  'fault?': { ...integer, description: 'The index of the fault rule that applied.' },
  'script?': { ...integer, description: 'The index of the script that responded.' },
});

const faults = object({
  rules: list(openObject),
  counts: {
    ...list(object({ matched: integer, fired: integer })),
    description: 'Per rule: requests it matched, and requests it disturbed.',
  },
});

const responses = object({
  responses: list(openObject),
  counts: { ...list(object({ used: integer })), description: 'Per script: requests that it responded to.' },
});

/** Schemas of responses that have a name. */
export const responseSchemas = {
  Clock: clock,
  Target: target,
  RecordedRequest: entry,
  FaultState: faults,
  ScriptState: responses,
} satisfies Record<string, object>;

/** Of every schema that has a name. */
export const schemaDescriptions: Readonly<Record<string, string>> = {
  Problem: 'Why a request was refused.',
  FaultRule: 'Disturbs the requests that it matches.',
  ScriptedResponse: 'Responds to the requests that it matches.',
  WorldFile: 'The initial state of a world.',
  Clock: 'The virtual clock.',
  Target: 'A target file with the values of its credentials; see target.json.',
  RecordedRequest: 'A request with its response.',
  FaultState: 'All fault rules, with their counts.',
  ScriptState: 'All scripted responses, with their counts.',
  ClockChange: 'Changes of the virtual clock, in this order.',
  Snapshot: 'A whole world.',
  Verification: 'Requests that must have been received.',
  FaultRules: 'All fault rules, in order.',
  ScriptedResponses: 'All scripted responses, in order.',
  DeploymentOutcome: 'How the deployment ends.',
  TokenRequest: 'Whom the credential is for, and what it allows.',
  NewWorld: 'How the world differs from the initial one.',
};

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
    response: object({ status: { const: 'ok' }, now: time, seed: integer, 'profile?': openObject }),
  },
  'GET /target': { operationId: 'getTarget', summary: 'Returns the target file of this world.', response: target },
  'GET /openapi.json': {
    operationId: 'getOpenapi',
    summary: 'Lists the OpenAPI documents of the API, with this mock as their server.',
    response: object({
      documents: {
        type: 'object',
        additionalProperties: { ...string, format: 'uri' },
        description: 'URLs by surface.',
      },
    }),
  },
  'GET /clock': { operationId: 'getClock', summary: 'Returns the virtual time.', response: clock },
  'PUT /clock': {
    operationId: 'putClock',
    request: 'ClockChange',
    summary: 'Changes the virtual clock.',
    description: 'Changes the mode first, then sets the time, then advances it. At least one key is required.',
    response: clock,
  },
  'POST /reset': {
    operationId: 'postReset',
    summary: 'Restores the initial world.',
    description: 'Also restores its clock, empties the journal, and removes all fault rules and scripted responses.',
    response: clock,
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
    response: target,
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
    response: object({
      count: { ...integer, description: 'The number of listed requests.' },
      received: { ...integer, description: 'All requests since the last reset.' },
      kept: { ...integer, description: 'The maximum number of recorded requests.' },
      requests: list(entry),
    }),
  },
  'DELETE /requests': {
    operationId: 'deleteRequests',
    summary: 'Forgets the requests that match the filters, or all of them.',
    query: requestFilters,
    response: object({ deleted: integer }),
  },
  'POST /verify': {
    operationId: 'postVerify',
    request: 'Verification',
    summary: 'Checks which requests were received, how often, in which order, and with which query and body.',
    description: 'Considers the recorded requests that have a response; bodies are recorded up to 4000 characters.',
    response: object({
      verified: { type: 'boolean' },
      failures: { ...list(string), description: 'One sentence for each expectation that is not met.' },
      received: {
        ...list(string),
        description: 'The newest requests, such as "GET /v0/agents?limit=2 503"; empty if verified.',
      },
    }),
  },
  'GET /invocations': {
    operationId: 'getInvocations',
    summary: 'Lists the newest calls of agents, models, functions and jobs, oldest first.',
    query: {
      workspace: 'A workspace.',
      workload: 'Such as `agents/demo-agent`.',
      by: '`call`, `async` or `cron`.',
    },
    response: object({
      count: integer,
      invocations: list(
        object({
          time,
          workspace: string,
          workload: string,
          by: { enum: ['call', 'async', 'cron'] },
          'trigger?': string,
          'requestId?': { ...string, description: 'Of a request to an async trigger, as in the outbox.' },
          inputs: string,
          status: { ...integer, description: 'Of a request to an async trigger: of its result.' },
        }),
      ),
    }),
  },
  'GET /outbox': {
    operationId: 'getOutbox',
    summary: 'Lists callbacks of async requests with every attempt to post them, and messages that tools sent.',
    description:
      'Each list begins with the oldest. `signature` is the value of `X-Svc-Signature`, computed over `<time in seconds>.<JSON of body>`.',
    response: object({
      count: integer,
      callbacks: list(
        object({
          requestId: string,
          workspace: string,
          agent: string,
          trigger: string,
          url: string,
          body: {
            ...body,
            description:
              'What is posted, with the response of the agent; null while the request waits for an instance.',
          },
          dueAt: { ...nullable(string), description: 'The next attempt; null if there is none.' },
          attempts: list(object({ time, 'status?': integer, 'error?': string, 'signature?': string })),
        }),
      ),
      messages: list(
        object({
          time,
          workspace: string,
          function: string,
          connection: string,
          to: string,
          subject: string,
          text: string,
        }),
      ),
    }),
  },
  'GET /faults': { operationId: 'getFaults', summary: 'Returns the fault rules and their counts.', response: faults },
  'PUT /faults': {
    operationId: 'putFaults',
    request: 'FaultRules',
    summary: 'Replaces all fault rules.',
    response: faults,
  },
  'DELETE /faults': { operationId: 'deleteFaults', summary: 'Removes all fault rules.', response: faults },
  'GET /responses': {
    operationId: 'getResponses',
    summary: 'Returns the scripted responses and their counts.',
    response: responses,
  },
  'PUT /responses': {
    operationId: 'putResponses',
    request: 'ScriptedResponses',
    summary: 'Replaces all scripted responses.',
    description: 'The first script that matches a request responds, with the next response of its sequence.',
    response: responses,
  },
  'DELETE /responses': {
    operationId: 'deleteResponses',
    summary: 'Removes all scripted responses.',
    response: responses,
  },
  'PUT /deployments/{collection}/{name}': {
    operationId: 'putDeployment',
    path: { collection: 'Such as `agents`.', name: 'The name of the resource.' },
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
    response: object({ token: string }),
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
    response: object({
      resources: list(
        object({
          home: string,
          collection: string,
          kind: string,
          name: string,
          displayName: nullable(string),
          status: nullable(string),
          updatedAt: time,
          'resource?': openObject,
        }),
      ),
    }),
  },
  'GET /worlds': {
    operationId: 'getWorlds',
    summary: 'Lists the worlds of this port, the initial one first.',
    response: object({
      worlds: list(
        object({
          id: { ...nullable(string), description: 'Null for the initial world, which cannot be removed.' },
          control: { ...string, format: 'uri' },
          seed: integer,
          now: time,
          mode: { enum: ['running', 'frozen'] },
          received: integer,
        }),
      ),
    }),
  },
  'POST /worlds': {
    operationId: 'postWorlds',
    request: 'NewWorld',
    summary: 'Creates another world on this port.',
    description: 'Omitted keys are as the mock was started.',
    status: 201,
    response: object({ id: string, control: { ...string, format: 'uri' }, target }),
  },
  'DELETE /worlds/{id}': {
    operationId: 'deleteWorld',
    path: { id: 'The id of the world.' },
    summary: 'Removes a world and ends its open connections.',
    response: object({ deleted: string }),
  },
};
