/** Kinds of observed values: the schema of each, and how a report renders it. */
import { z } from 'zod';

export interface ValueKind<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  /** The `saw` of a report. */
  render(value: Value): string;
}

export const kind = <Value>(schema: z.ZodType<Value>, render: (value: Value) => string): ValueKind<Value> => ({
  schema,
  render,
});

export type Json = z.infer<ReturnType<typeof z.json>>;

export const httpStatus = z.int().min(100).max(599);
export const success = httpStatus.refine((status) => status >= 200 && status < 300);
export const notSuccess = httpStatus.refine((status) => status < 200 || status >= 300);
const strings = z.array(z.string()).readonly();
const listed = (list: readonly string[], empty: string): string => (list.length === 0 ? empty : list.join(', '));

/** One of some words. */
export const oneOf = <const Word extends string>(...words: readonly Word[]): ValueKind<Word> =>
  kind<Word>(z.enum(words), (word) => word);

export const NO_RESPONSE = 'no response';

export const statusOnly = kind(z.strictObject({ status: httpStatus }).readonly(), ({ status }) => String(status));

export const statusOrNoResponse = kind(
  z.union([z.strictObject({ status: httpStatus }).readonly(), z.literal(NO_RESPONSE)]),
  (value) => (value === NO_RESPONSE ? value : String(value.status)),
);

/** A status, and of a refusal its `error` if it has one. */
export const statusAndError = kind<{ readonly status: number; readonly error?: string | undefined }>(
  z.union([
    z.strictObject({ status: httpStatus }).readonly(),
    z.strictObject({ status: httpStatus.min(400), error: z.string() }).readonly(),
  ]),
  ({ status, error }) => (error === undefined ? String(status) : `${status} ${error}`),
);

/** Names, sorted. */
export const nameList = kind(
  strings.refine((list) => list.every((name, at) => at === 0 || list[at - 1]! < name)),
  (list) => listed(list, 'none'),
);

/** Sorted by time; empty if there are none. */
export const eventRecords = kind(strings, (list) => listed(list, 'no records'));

/** The status of a resource, not of a response; null if the resource has none. */
export const resourceStatus = kind(z.strictObject({ resourceStatus: z.string().nullable() }).readonly(), (value) =>
  value.resourceStatus === null ? 'no status' : value.resourceStatus,
);

export const settledStatus = kind(z.union([resourceStatus.schema, z.literal('not settled in time')]), (value): string =>
  typeof value === 'string' ? value : resourceStatus.render(value as { resourceStatus: string }),
);

/** Whether the response contains the values that were sent; absent for a refusal. */
export const storedValue = kind<{ readonly status: number; readonly returned?: boolean | undefined }>(
  z.union([
    z.strictObject({ status: success, returned: z.boolean() }).readonly(),
    z.strictObject({ status: notSuccess }).readonly(),
  ]),
  ({ status, returned }) =>
    returned === undefined ? String(status) : `${status}, ${returned ? 'returned' : 'not returned'} as sent`,
);

/** How many of the secrets that were sent are in the response. */
export const repeatedSecrets = kind(
  z.strictObject({ repeated: z.int().min(0), of: z.int().min(1) }).readonly(),
  ({ repeated, of }) => (repeated === 0 ? 'not repeated' : `${repeated} of ${of} repeated`),
);

/** In which workspace something was created; absent for a refusal, or if the response does not contain it. */
export const creation = kind<{ readonly status: number; readonly workspace?: 'of the target' | 'another' | undefined }>(
  z.union([
    z.strictObject({ status: success, workspace: z.enum(['of the target', 'another']).optional() }).readonly(),
    z.strictObject({ status: notSuccess }).readonly(),
  ]),
  ({ status, workspace }) =>
    workspace === undefined
      ? String(status)
      : `${status}, in ${workspace === 'another' ? 'another workspace' : 'the workspace of the target'}`,
);

export const scopeAccess = kind(
  z
    .strictObject({
      operation: z.string(),
      scope: z.string(),
      /** 401 or 403; null if the scope was accepted. */
      refused: z.union([z.literal(401), z.literal(403)]).nullable(),
    })
    .readonly(),
  ({ refused }) => (refused === null ? 'accepted' : `refused ${refused}`),
);

export const judgedFirst = kind(
  z.strictObject({ status: httpStatus, judgedFirst: z.enum(['version', 'credential']) }).readonly(),
  (value) => `${value.status}: the ${value.judgedFirst} is judged first`,
);

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Start times of the first two buckets of a window. */
export const bucketStarts = kind(
  z.union([
    z
      .strictObject({
        first: z.enum(['before startTime', 'at startTime', 'after startTime']),
        second: z
          .strictObject({
            weekday: z.enum(WEEKDAYS).optional(),
            /** Day of the month. */
            day: z.int().min(1).max(31).optional(),
            /** As `10:00:00Z`. */
            time: z.string(),
          })
          .readonly(),
      })
      .readonly(),
    z.literal('fewer than two buckets'),
  ]),
  (value) => {
    if (typeof value === 'string') return value;
    const { weekday, day, time } = value.second;
    const date = weekday === undefined ? (day === undefined ? '' : ` on day ${day}`) : ` on a ${weekday}`;
    return `first bucket ${value.first}, second${date} at ${time}`;
  },
);

export const chosenResolution = kind(
  z.union([z.strictObject({ resolution: z.string() }).readonly(), z.strictObject({ status: httpStatus }).readonly()]),
  (value) => ('resolution' in value ? value.resolution : String(value.status)),
);

/** Whether a page continues after the page of the cursor; absent if the request was rejected. */
export const continuation = kind<{ readonly status: number; readonly continues?: boolean | undefined }>(
  z.union([
    z.strictObject({ status: z.literal(200), continues: z.boolean() }).readonly(),
    z.strictObject({ status: httpStatus.refine((status) => status !== 200) }).readonly(),
  ]),
  ({ status, continues }) => `${status}${continues === true ? ', continues from there' : ''}`,
);

/** A refusal, or what a metrics response contains. */
export const metricsResponse = kind(
  z.union([
    z
      .strictObject({
        status: z.literal(200),
        resolution: z.string().nullable(),
        entries: z.enum(['none', 'one', 'several']),
        /** The fields that the entries are grouped by, sorted. */
        by: strings,
        /** Of the first entry; null if it has none. */
        buckets: z.int().min(0).nullable(),
      })
      .readonly(),
    z.strictObject({ status: httpStatus }).readonly(),
    z.strictObject({ status: httpStatus.refine((status) => status !== 200), error: z.string() }).readonly(),
  ]),
  (value) => {
    if (!('entries' in value)) return statusAndError.render(value);
    const { resolution, entries, by, buckets } = value;
    const grouped = by.length === 0 ? '' : ` by ${by.join(', ')}`;
    return `200, ${resolution ?? 'no resolution'}, entries: ${entries}${grouped}, buckets: ${buckets ?? 'none'}`;
  },
);

/** The protocol version that an MCP server accepts, or else its JSON-RPC error code or the status of its error. */
export const negotiatedVersion = kind(
  z.union([
    z.strictObject({ version: z.string() }).readonly(),
    z.strictObject({ errorCode: z.json() }).readonly(),
    z.strictObject({ status: httpStatus }).readonly(),
  ]),
  (value) => {
    if ('version' in value) return value.version;
    return 'status' in value ? `status ${value.status}` : `error ${JSON.stringify(value.errorCode)}`;
  },
);

/** How an MCP response is delivered. */
export const delivery = kind(
  z.union([z.enum(['event stream', 'JSON']), z.strictObject({ status: httpStatus }).readonly()]),
  (value) => (typeof value === 'string' ? value : `status ${value.status}`),
);

export const endedSession = kind(
  z.union([z.strictObject({ status: httpStatus }).readonly(), z.literal('no session')]),
  (value) => (typeof value === 'string' ? value : String(value.status)),
);

const UNAUTHORIZED = 'unauthorized_client';
const numericOutcome = z.strictObject({ status: httpStatus, error: z.string().optional() }).readonly();
export interface TokenOutcome {
  /** Null if the client is not authorized, whatever the status was. */
  readonly status: number | null;
  readonly error?: string | undefined;
}

const renderOutcome = ({ status, error }: TokenOutcome): string => [status ?? [], error ?? []].flat().join(' ');

/** A response of the token endpoint. */
export const tokenOutcome = kind<TokenOutcome>(numericOutcome, renderOutcome);

/** The same for a client's own token. */
export const clientOutcome = kind<TokenOutcome>(
  z.union([
    numericOutcome.refine(({ error }) => error !== UNAUTHORIZED),
    z.strictObject({ status: z.null(), error: z.literal(UNAUTHORIZED) }).readonly(),
  ]),
  renderOutcome,
);

/** A string of a token, or null if it is absent. */
export const tokenText = kind(
  z.strictObject({ text: z.string().nullable() }).readonly(),
  ({ text }) => text ?? 'absent',
);

export const lifetime = kind(z.strictObject({ seconds: z.json().nullable() }).readonly(), ({ seconds }) =>
  seconds === null ? 'absent' : `${typeof seconds === 'number' ? seconds : JSON.stringify(seconds)} seconds`,
);

/** What the token endpoint returns for a code; `refresh` is null if there is no refresh token. */
export const exchangedCode = kind(
  z.union([
    z
      .strictObject({
        status: httpStatus,
        error: z.string().optional(),
        refresh: z
          .strictObject({ status: httpStatus, error: z.string().optional(), rotated: z.boolean() })
          .readonly()
          .nullable(),
      })
      .readonly(),
    z.literal('needs a person'),
  ]),
  (value) => {
    if (typeof value === 'string') return value;
    const { refresh } = value;
    const token =
      refresh === null
        ? 'no refresh token'
        : `refresh: ${renderOutcome(refresh)}, ${refresh.rotated ? 'rotated' : 'not rotated'}`;
    return `${renderOutcome(value)}, ${token}`;
  },
);

export const DISCOVERY_DOCUMENTS = ['the discovery document', 'the OpenID discovery document'] as const;
export type DiscoveryDocument = (typeof DISCOVERY_DOCUMENTS)[number];

/** A list in a discovery document, or the value that a server has instead. */
export const discoveryList = kind(
  z.strictObject({ document: z.enum(DISCOVERY_DOCUMENTS), member: z.string(), is: z.json() }).readonly(),
  ({ is }) =>
    Array.isArray(is) && is.every((name) => typeof name === 'string') ? listed(is, 'empty') : JSON.stringify(is),
);

/** Null if a file has none. */
export const fileOwner = kind(
  z.strictObject({ owner: z.string().nullable(), group: z.string().nullable() }).readonly(),
  ({ owner, group }) => `${owner ?? 'none'}, ${group ?? 'none'}`,
);

/** What a member of the JSON object of a watch's line contains: the file's name, its path, its directory, or the type of another value. */
export const LINE_MEMBERS = [
  'name',
  'path',
  'directory',
  'null',
  'string',
  'number',
  'boolean',
  'list',
  'object',
] as const;
export type LineMember = (typeof LINE_MEMBERS)[number];

/** What a line of a watch consists of. */
export const lineFormat = kind(
  z.union([
    z.enum(['absolute paths', 'relative paths', 'names', 'another format']),
    z.strictObject({ members: z.record(z.string(), z.enum(LINE_MEMBERS)).readonly() }).readonly(),
  ]),
  (value) =>
    typeof value === 'string'
      ? value
      : `JSON objects {${Object.entries(value.members)
          .map(([name, member]) => (name === member ? name : `${name}: ${member}`))
          .join(', ')}}`,
);

/** The first line of a watch of a directory in which nothing changes, and when it arrives. */
export const keepAlive = kind(
  z.union([z.strictObject({ line: z.string(), everySeconds: z.int().min(1) }).readonly(), z.literal('none')]),
  (value) => (value === 'none' ? value : `${JSON.stringify(value.line)} every ${value.everySeconds} s`),
);

/** Whether a watch reports the files of subdirectories, or the status of its refusal. */
export const watchedDepth = kind(
  z.union([
    z.strictObject({ status: notSuccess }).readonly(),
    z.enum(['with subdirectories', 'without subdirectories', 'nothing is reported']),
  ]),
  (value) => (typeof value === 'string' ? value : String(value.status)),
);

export const IGNORE_PATTERNS = ['exact name', 'glob', 'extension', 'prefix', 'part of a name'] as const;
export type IgnorePattern = (typeof IGNORE_PATTERNS)[number];

/** Which patterns of a parameter keep matching files from being reported, in this order. */
export const ignoredPatterns = kind(z.array(z.enum(IGNORE_PATTERNS)).readonly(), (list) =>
  listed(list, 'matching files reported'),
);
