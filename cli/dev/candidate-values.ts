/** Values that a deployment could have at an observation point: profiles are tested with all of them. */
import type { BodyShape } from '../../spec/observations/response-kinds.ts';
import type { Json } from '../../spec/observations/value-kind.ts';

const STATUSES = [200, 201, 202, 204, 302, 400, 401, 403, 404, 409, 422, 429, 503];

const names = (...members: string[]): BodyShape => ({
  object: Object.fromEntries(members.map((name) => [name, 'any'])),
});

const BODIES: readonly BodyShape[] = [
  'nothing',
  'text',
  'list',
  'string',
  'number',
  'boolean',
  'null',
  names(),
  names('error'),
  names('detail', 'title'),
  names('code', 'error', 'message'),
  names('error', 'output'),
  names('files', 'name', 'path', 'subdirectories'),
  names('entries'),
  'empty list',
  { list: 'string' },
  { list: { object: { id: 'scalar', name: 'scalar' } } },
  { object: { data: 'list', metadata: { object: { name: 'scalar' } } } },
  { object: { data: { object: { a: 'scalar', b: 'list', c: 'object' } } } },
];

const MEDIA_TYPES = [
  null,
  'text/html',
  'text/plain',
  'text/event-stream',
  'application/json',
  'application/problem+json',
];

const BESIDE_STATUS: readonly object[] = [
  {},
  ...['invalid_request', 'invalid_client', 'invalid_api_version', 'unauthorized_client'].map((error) => ({ error })),
  ...[true, false].flatMap((is) => [{ returned: is }, { continues: is }]),
  ...['of the target', 'another'].map((workspace) => ({ workspace })),
  ...['version', 'credential'].map((judgedFirst) => ({ judgedFirst })),
  { mediaType: 'text/event-stream' },
  { refresh: null },
  ...[true, false].map((rotated) => ({ refresh: { status: 200, rotated } })),
  { refresh: { status: 400, error: 'invalid_grant', rotated: false } },
  ...BODIES.flatMap((body) => [{ body }, ...MEDIA_TYPES.map((mediaType) => ({ mediaType, body }))]),
  ...['the write', 'the plain path'].flatMap((sameBodyAs) =>
    ['text', names('entries'), names('files', 'name', 'path', 'subdirectories')].map((body) => ({ body, sameBodyAs })),
  ),
];

const METRICS = ['hourly', 'daily', 'weekly', null].flatMap((resolution) =>
  [
    { entries: 'one', by: [] },
    { entries: 'several', by: [] },
    { entries: 'none', by: [] },
    { entries: 'one', by: ['resourceType'] },
    { entries: 'several', by: ['resourceType'] },
    { entries: 'several', by: ['billingDimension'] },
    { entries: 'several', by: ['billingDimension', 'resourceType'] },
  ].flatMap((entries) =>
    [null, 0, 1, 23, 24, 25, 26, 48].map((buckets) => ({ status: 200, resolution, ...entries, buckets })),
  ),
);

const STARTS = ['at startTime', 'before startTime', 'after startTime'].flatMap((first) =>
  [
    { weekday: 'Sunday', time: '00:00:00Z' },
    { weekday: 'Monday', time: '00:00:00Z' },
    { weekday: 'Tuesday', time: '10:00:00Z' },
    { weekday: 'Thursday', time: '10:00:00Z' },
    { day: 1, time: '00:00:00Z' },
    { day: 1, time: '10:00:00Z' },
    { day: 15, time: '10:00:00Z' },
    ...['00:00:00Z', '02:00:00Z', '02:45:00Z', '10:00:00Z', '05:00:00Z'].map((time) => ({ time })),
  ].map((second) => ({ first, second })),
);

const OTHERS: readonly unknown[] = [
  'no response',
  'no session',
  'needs a person',
  'not settled in time',
  'fewer than two buckets',
  'absolute, percent-encoded',
  'without subdirectories',
  { members: { file: 'path', kind: 'string', at: 'number' } },
  ...BODIES.map((body) => ({ body })),
  { repeated: 0, of: 3 },
  { repeated: 1, of: 3 },
  { repeated: 3, of: 3 },
  ...['weekly', 'monthly', 'daily'].map((resolution) => ({ resolution })),
  ...['2024-11-05', '2025-06-18', '1999-12-31'].map((version) => ({ version })),
  { errorCode: -32000 },
  ['tools', 'logging'].toSorted(),
  ['logging'],
  [],
  ['exp', 'sub'],
  ['exp', 'x y'],
  ...['DEPLOYED', 'BUILDING', 'UNKNOWN', null].map((resourceStatus) => ({ resourceStatus })),
  { owner: 'me', group: 'us' },
  { owner: null, group: null },
  { owner: 'me', group: null },
  { status: null, error: 'unauthorized_client' },
  ...['bearer', 'Bearer', 'HS256', 'HS512', 'RS256', 'ES256', 'none', null].map((text) => ({ text })),
  ...[1, 60, 86_400, 999_999_999, 0.5, null].map((seconds) => ({ seconds })),
];

/** Each once, with those that were observed. */
export function candidateValues(observed: readonly unknown[]): Json[] {
  const all: unknown[] = [
    ...observed,
    ...STATUSES.flatMap((status) => BESIDE_STATUS.map((more) => ({ status, ...more }))),
    ...METRICS,
    ...STARTS,
    ...OTHERS,
  ];
  return [...new Map(all.map((value) => [JSON.stringify(value), value as Json])).values()];
}

/** What a member of a discovery document could be, and the access that a scope could give. */
export const familyVariants: readonly object[] = [
  ...[['code', 'token'], ['S256'], [], true, false, '', 7, null, { a: 1 }].map((is) => ({ is })),
  ...[401, 403, null].map((refused) => ({ refused })),
];
