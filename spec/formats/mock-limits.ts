/** The limits of the mock: those of every request, and those of a world, which its file can change. */

interface RequestLimit {
  readonly max: number;
  /** What is limited, with the unit of `max`. */
  readonly what: string;
  readonly status: 400 | 413 | 431;
}

/** The same for every mock: they bound the time that one request takes. */
export const requestLimits = {
  head: { max: 16_384, what: 'bytes of the URL and the headers', status: 431 },
  body: { max: 5 * 2 ** 20, what: 'bytes of a body, except of a snapshot', status: 413 },
  uploadBody: { max: 6 * 2 ** 20, what: 'bytes of a multipart form with a file', status: 413 },
  resourceBody: { max: 2 ** 20, what: 'bytes of a body of the management API', status: 413 },
  snapshotBody: { max: 256 * 2 ** 20, what: 'bytes of a snapshot', status: 413 },
  jsonDepth: { max: 64, what: 'levels of nesting in a JSON body', status: 400 },
  jsonValues: { max: 50_000, what: 'values in a JSON body', status: 413 },
  formFields: { max: 1000, what: 'fields of a form', status: 413 },
  triggers: { max: 500, what: 'triggers of an agent', status: 400 },
  schedule: { max: 256, what: 'characters of a cron expression', status: 400 },
  triggerPath: { max: 1024, what: "characters of a trigger's path or id", status: 400 },
  tasks: { max: 1000, what: 'tasks of an execution', status: 400 },
  pathNames: { max: 256, what: 'names in a path of a sandbox', status: 400 },
  ignorePatterns: { max: 100, what: 'ignore patterns of a watch', status: 400 },
  ignoreCharacters: { max: 1024, what: 'characters of all ignore patterns of a watch', status: 400 },
  rules: { max: 100, what: 'fault rules or scripted responses of a world', status: 400 },
  ruleWildcard: { max: 256, what: 'characters of a wildcard pattern in a rule', status: 400 },
  expectedValues: {
    max: 2000,
    what: 'values in the expected `query`, `headers` and `body` of all fault rules, scripted responses or expectations of one call',
    status: 400,
  },
  expectations: { max: 100, what: 'expected requests of `POST /_mock/verify`', status: 400 },
  waits: { max: 50, what: 'calls of `/_mock` that wait for requests to a world at the same time', status: 400 },
} as const satisfies Record<string, RequestLimit>;

export interface SpecLimit {
  /** Inclusive. */
  readonly min: number;
  /** Inclusive. */
  readonly max: number;
  /** The unit of both. */
  readonly unit: string;
  /** Below `spec`. */
  readonly path: string;
  /** Collections of the resources that have it. */
  readonly of: readonly SpecCollection[];
}

type SpecCollection =
  | 'agents'
  | 'functions'
  | 'models'
  | 'sandboxes'
  | 'jobs'
  | 'volumes'
  | 'volume_templates'
  | 'versions';

const WORKLOADS = ['agents', 'functions', 'models', 'sandboxes', 'jobs'] as const;
const MAX_INSTANCES = 1_000_000;
const MAX_SIZE_MB = 1_000_000_000;

/** Numbers in specs. The interface does not bound them: those of more than 100 are far above anything real. */
export const specLimits = {
  memory: { path: 'runtime.memory', min: 1, max: 100_000_000, unit: 'megabytes', of: WORKLOADS },
  minScale: { path: 'runtime.minScale', min: 0, max: MAX_INSTANCES, unit: 'instances', of: WORKLOADS },
  maxScale: { path: 'runtime.maxScale', min: 1, max: MAX_INSTANCES, unit: 'instances', of: WORKLOADS },
  canaryPercent: { path: 'revision.canaryPercent', min: 0, max: 100, unit: 'percent', of: WORKLOADS },
  traffic: { path: 'revision.traffic', min: 0, max: 100, unit: 'percent', of: WORKLOADS },
  stickySessionTtl: { path: 'revision.stickySessionTtl', min: 0, max: 1_000_000_000, unit: 'seconds', of: WORKLOADS },
  retries: { path: 'retries', min: 0, max: 10, unit: 'retries', of: ['jobs'] },
  timeout: { path: 'timeout', min: 0, max: 86_400, unit: 'seconds', of: ['jobs'] },
  size: { path: 'size', min: 1, max: MAX_SIZE_MB, unit: 'megabytes', of: ['volumes'] },
  defaultSize: { path: 'defaultSize', min: 1, max: MAX_SIZE_MB, unit: 'megabytes', of: ['volume_templates'] },
  contentSize: { path: 'contentSize', min: 0, max: 1_000_000_000_000_000, unit: 'bytes', of: ['versions'] },
} as const satisfies Record<string, SpecLimit>;

export type SpecLimitName = keyof typeof specLimits;

/** GB-seconds, requests or hours: the most that one entry of `usage` of a world file can state. */
export const MAX_USAGE_AMOUNT = 1_000_000_000_000;

interface WorldLimit {
  /** The default. */
  readonly max: number;
  readonly what: string;
  /** `none`: the oldest is dropped, or a stream or connection is closed. */
  readonly status: 408 | 409 | 413 | 429 | 'none';
}

/** The defaults of the world file's key `limits`: at least ten times what a full run of the suites needs. */
export const worldLimits = {
  resources: { max: 20_000, what: 'Resources of all kinds, including images and executions.', status: 409 },
  resourceBytes: {
    max: 32 * 2 ** 20,
    what: 'Bytes of the bodies of all resources; a body counts once more for each deployment that is listed in events.',
    status: 413,
  },
  executions: { max: 5000, what: 'Executions of a job.', status: 409 },
  meteredResources: { max: 20_000, what: 'Resources that were ever billed, including deleted ones.', status: 409 },
  meterEvents: {
    max: 100_000,
    what: 'Calls and updates that are billed; equally spaced ones count once.',
    status: 409,
  },
  files: { max: 50_000, what: 'Files and directories of a sandbox.', status: 409 },
  fileBytes: { max: 16 * 2 ** 20, what: 'Bytes of a file.', status: 413 },
  sandboxBytes: { max: 64 * 2 ** 20, what: 'Bytes of the files, paths and uploaded parts of a sandbox.', status: 413 },
  allSandboxesBytes: { max: 128 * 2 ** 20, what: 'The same of all sandboxes.', status: 413 },
  uploads: { max: 1000, what: 'Active multipart uploads of a sandbox.', status: 409 },
  parts: { max: 10_000, what: 'Uploaded parts of a sandbox.', status: 409 },
  watchBytes: {
    max: 64 * 2 ** 20,
    what: 'Bytes that a watch stream holds for a client that does not read; beyond, the stream ends.',
    status: 'none',
  },
  tokens: { max: 10_000, what: 'Live tokens of each kind: access, refresh and revoked ones.', status: 429 },
  clients: { max: 1000, what: 'OAuth clients, including registered ones.', status: 429 },
  codes: { max: 10_000, what: 'Live authorization codes of each authorization server.', status: 429 },
  asyncRequests: { max: 10_000, what: 'Pending requests to async triggers.', status: 429 },
  asyncBytes: { max: 32 * 2 ** 20, what: 'Bytes of the responses of pending async requests.', status: 429 },
  mcpSessions: { max: 1000, what: 'MCP sessions; beyond, the oldest of the function or sandbox ends.', status: 'none' },
  worlds: { max: 500, what: 'Other worlds on the port. Of the first world, like the next two.', status: 409 },
  incompleteBodyBytes: { max: 64 * 2 ** 20, what: 'Bytes of all bodies that are being received.', status: 429 },
  requestSeconds: { max: 60, what: 'Seconds in which a request must arrive completely.', status: 408 },
} as const satisfies Record<string, WorldLimit>;

export type WorldLimitName = keyof typeof worldLimits;
export type WorldLimits = Readonly<Record<WorldLimitName, number>>;

export const worldLimitNames = Object.keys(worldLimits) as readonly WorldLimitName[];

/** The limits of a world with these differences from the defaults. */
export function limitsWith(differences: Partial<WorldLimits> = {}): WorldLimits {
  return {
    ...(Object.fromEntries(worldLimitNames.map((name) => [name, worldLimits[name].max])) as WorldLimits),
    ...differences,
  };
}
