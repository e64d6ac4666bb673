/** Schemas with a name in docs/control-api.openapi.json: those of responses, and those that requests have in common. */

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const time = { type: 'string', format: 'date-time', description: 'Virtual time, RFC 3339 in UTC.' } as const;
const url = { ...string, format: 'uri' } as const;
/** Its content is described elsewhere, or may be anything. */
export const openObject = { type: 'object', 'x-not-shown': true, additionalProperties: true } as const;
const list = (items: object) => ({ type: 'array', items }) as const;
const nullable = (schema: { readonly type: string }) => ({ ...schema, type: [schema.type, 'null'] });

/** All members are required unless their name ends with a question mark. */
const object = (members: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(members).filter((name) => !name.endsWith('?')),
});

const mode = { enum: ['running', 'frozen'] };
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
  'replayed?': { const: true, description: 'The response is that of a recording.' },
});

const invocation = object({
  time,
  workspace: string,
  workload: string,
  by: { enum: ['call', 'async', 'cron'] },
  'trigger?': string,
  'requestId?': { ...string, description: 'Of a request to an async trigger, as in the outbox.' },
  inputs: string,
  status: { ...integer, description: 'Of a request to an async trigger: of its result.' },
});

const callback = object({
  requestId: string,
  workspace: string,
  agent: string,
  trigger: string,
  url: string,
  body: {
    ...body,
    description: 'What is posted, with the response of the agent; null while the request waits for an instance.',
  },
  dueAt: { ...nullable(string), description: 'The next attempt; null if there is none.' },
  attempts: list(object({ time, 'status?': integer, 'error?': string, 'signature?': string })),
});

const message = object({
  time,
  workspace: string,
  function: string,
  connection: string,
  to: string,
  subject: string,
  text: string,
});

const resource = object({
  home: string,
  collection: string,
  kind: string,
  name: string,
  displayName: nullable(string),
  status: nullable(string),
  updatedAt: time,
  'resource?': openObject,
});

const world = object({
  id: { ...nullable(string), description: 'Null for the initial world, which cannot be removed.' },
  control: url,
  seed: integer,
  now: time,
  mode,
  received: integer,
});

export const responseSchemas = {
  Health: object({ status: { const: 'ok' }, now: time, seed: integer, 'profile?': openObject }),
  Target: target,
  DocumentList: object({
    documents: { type: 'object', additionalProperties: url, description: 'URLs by surface.' },
  }),
  Clock: object({ now: time, mode }),
  RecordedRequest: entry,
  RecordedRequestList: object({
    count: { ...integer, description: 'The number of listed requests.' },
    received: { ...integer, description: 'All requests since the last reset.' },
    kept: { ...integer, description: 'The maximum number of recorded requests.' },
    requests: list(entry),
  }),
  ForgottenRequests: object({ deleted: integer }),
  VerificationResult: object({
    verified: { type: 'boolean' },
    failures: { ...list(string), description: 'One sentence for each expectation that is not met.' },
    received: {
      ...list(string),
      description: 'The newest requests, such as "GET /v0/agents?limit=2 503"; empty if verified.',
    },
  }),
  Invocation: invocation,
  InvocationList: object({ count: integer, invocations: list(invocation) }),
  Callback: callback,
  ToolMessage: message,
  Outbox: object({ count: integer, callbacks: list(callback), messages: list(message) }),
  FaultState: object({
    rules: list(openObject),
    counts: {
      ...list(object({ matched: integer, fired: integer })),
      description: 'Per rule: requests it matched, and requests it disturbed.',
    },
  }),
  ScriptState: object({
    responses: list(openObject),
    counts: { ...list(object({ used: integer })), description: 'Per script: requests that it responded to.' },
  }),
  IssuedToken: object({
    token: string,
    kind: { enum: ['jwt', 'api-key'] },
    caller: openObject,
    scopes: list(string),
    expiresAt: time,
  }),
  ListedResource: resource,
  ResourceList: object({ resources: list(resource) }),
  World: world,
  WorldList: object({ worlds: list(world) }),
  NewWorldAccess: object({ id: string, control: url, target }),
  RemovedWorld: object({ deleted: string }),
} satisfies Record<string, object>;

/** Schemas that requests have in common, by name: a place of each. */
export const sharedSchemas: Readonly<Record<string, string>> = {
  Account: 'WorldFile/properties/accounts/items',
  Caller: 'WorldFile/properties/callers/items',
  Scope: 'WorldFile/properties/credentials/items/properties/scopes/items',
  IntegrationProvider: 'WorldFile/properties/integrations/items',
  ScriptedReply: 'WorldFile/properties/replies/items',
  WorldResource: 'WorldFile/properties/resources/items',
  ToolSet: 'WorldFile/properties/resources/items/properties/tools',
  UsagePattern: 'WorldFile/properties/resources/items/properties/traffic',
  WorldLimits: 'WorldFile/properties/limits',
  DeploymentBehaviour: 'WorldFile/properties/deploy',
  InstanceBehaviour: 'WorldFile/properties/instances',
  SandboxBehaviour: 'WorldFile/properties/sandboxes',
  TaskBehaviour: 'WorldFile/properties/tasks/items',
  TargetNames: 'WorldFile/properties/target',
  OAuthClient: 'Snapshot/properties/clients/items',
  OAuthGrant: 'Snapshot/properties/oauth/properties/codes/items/prefixItems/1/properties/grant',
  OAuthState: 'Snapshot/properties/oauth',
  Delay: 'FaultRule/properties/delayMs',
  QueryValue: 'FaultRule/properties/query/additionalProperties',
};

/** Of every schema that has a name, unless the schema has a description. */
export const schemaDescriptions: Readonly<Record<string, string>> = {
  Problem: 'Why a request was refused.',
  FaultRule: 'Disturbs the requests that it matches.',
  ScriptedResponse: 'Responds to the requests that it matches.',
  WorldFile: 'The initial state of a world.',
  Health: 'That the mock serves requests.',
  Target: 'A target file with the values of its credentials; see target.json.',
  DocumentList: 'The OpenAPI documents of the API.',
  Clock: 'The virtual clock.',
  RecordedRequest: 'A request with its response.',
  RecordedRequestList: 'Recorded requests, oldest first.',
  ForgottenRequests: 'How many requests were forgotten.',
  VerificationResult: 'Which expectations are not met.',
  Invocation: 'A call of a workload.',
  InvocationList: 'Calls of workloads, oldest first.',
  Callback: 'A callback of an async request, with every attempt to post it.',
  ToolMessage: 'A message that a tool of a function sent.',
  Outbox: 'Callbacks and messages, oldest first.',
  FaultState: 'All fault rules, with their counts.',
  ScriptState: 'All scripted responses, with their counts.',
  IssuedToken: 'A credential, and what it allows.',
  ListedResource: 'A resource of the world.',
  ResourceList: 'Resources of the world.',
  World: 'A world, and its clock.',
  WorldList: 'The worlds of this port, the initial one first.',
  NewWorldAccess: 'How to reach the new world.',
  RemovedWorld: 'The id of the removed world.',
  ClockChange: 'Changes of the virtual clock, in this order.',
  Snapshot: 'A whole world.',
  Verification: 'Requests that must have been received.',
  FaultRules: 'All fault rules, in order.',
  ScriptedResponses: 'All scripted responses, in order.',
  DeploymentOutcome: 'How the deployment ends.',
  TokenRequest: 'Whom the credential is for, and what it allows.',
  NewWorld: 'How the world differs from the initial one.',
  Account: 'An account.',
  Caller: 'A user or a service account.',
  Scope: 'A scope of a credential.',
  IntegrationProvider: 'An integration provider.',
  ScriptedReply: 'A scripted response of an agent or a model.',
  WorldResource: 'A resource of a world file.',
  TaskBehaviour: 'How tasks of jobs end.',
  OAuthClient: 'An OAuth 2.0 client.',
  OAuthGrant: 'What a user or a client has granted.',
  OAuthState: 'The codes and tokens of an authorization server.',
  QueryValue: 'The value of a query parameter with `*` as a wildcard, or null if there must be none.',
};
