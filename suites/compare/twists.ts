/** The contexts of a request: each changes one thing of a valid one, most of them into something that should be refused. */
import { operation, type Operation } from '../../spec/operations.ts';
import { windowCaps } from '../../spec/values.ts';
import { invalidValues, ofAnotherType, placesIn, replaceAt, valueAt, type Place } from '../generators/invalid-body.ts';
import { isFields, type Fields } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { DAY, timestamp } from '../kit/metrics/windows.ts';
import { isOnItem } from './model.ts';
import type { Known } from './requests.ts';
import type { Step, StepCaller } from './step.ts';

export interface Twist {
  /** The context of the step. */
  readonly name: string;
  /** How often it is drawn, compared with 1 for most. */
  readonly weight: number;
  /** Undefined if it does not apply to the request. */
  readonly change: (step: Step, known: Known, operation: Operation) => Partial<Step> | undefined;
}

export const VALID = 'valid';

const twist = (name: string, change: Twist['change'], weight = 1): Twist => ({ name, weight, change });

/** A client of the token endpoint has a credential of its own. */
const takesCredential = ({ security, surface }: Operation): boolean => security || surface === 'inference';
export const usualCaller = (of: Operation): 'strongest' | 'none' => (takesCredential(of) ? 'strongest' : 'none');

const caller = (name: string, ...callers: readonly StepCaller[]): Twist =>
  twist(name, (_, { draw }, of) => (takesCredential(of) ? { caller: draw.oneOf(callers)! } : undefined));

const version = (name: string, ...values: readonly string[]): Twist =>
  twist(name, (step, { comparesVersions, draw }, { versioned }) =>
    versioned && !comparesVersions ? { headers: { ...step.headers, 'Svc-Version': draw.oneOf(values)! } } : undefined,
  );

/** Undefined if it is no query of metrics, or one of a later page. */
const queryOf = (step: Step, change: Record<string, string | undefined>): Partial<Step> | undefined =>
  step.operation === 'getAccountMetrics' && !('cursor' in step.query!) ? { query: withQuery(step, change) } : undefined;

const query = (name: string, change: Record<string, string | undefined>): Twist =>
  twist(name, (step) => queryOf(step, change), 2);

/** None is a date-time of RFC 3339. */
const noTimes = [
  'yesterday',
  '2026-10-02',
  '1759276800',
  '1759276800000',
  '2026-10-02T00:00:00',
  '2026-02-30T00:00:00Z',
];

const authorization = (name: string, change: Record<string, string | undefined>): Twist =>
  twist(name, (step) => (step.operation === 'authorize' ? { query: withQuery(step, change) } : undefined), 2);

const withQuery = (step: Step, change: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries<string | undefined>({ ...step.query, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** Of writes with metadata. */
const metadata = (name: string, change: (name: string, known: Known) => object | undefined, weight = 1): Twist =>
  twist(
    name,
    (step, known) => {
      const own = metadataIn(step.body);
      const changed = typeof own['name'] === 'string' ? change(own['name'], known) : undefined;
      return changed && { body: { ...(step.body as object), metadata: { ...own, ...changed } } };
    },
    weight,
  );

const isCreate = ({ method, path }: Operation): boolean => method === 'POST' && !path.includes('{');

/** A place of the body below the metadata or the spec, as far as it may be one of the target's own types. */
function atPlace(step: Step, known: Known, change: (value: unknown) => unknown): Partial<Step> | undefined {
  if (!isFields(step.body) || Array.isArray(step.body['jsonrpc'])) return undefined;
  const places = placesIn(step.body).filter((place) => place.length > 0 && place.at(-1) !== 'name');
  const place = known.draw.oneOf(places);
  return place && { body: replaceAt(step.body, place, change(valueAt(step.body, place))) };
}

const trigger = (type: string, configuration: object): Fields => ({ triggers: [{ type, configuration }] });
const volume = (more: object): Fields => ({
  region: '<own volume.region>',
  volumes: [{ name: '<own volume.name>', mountPath: '/data', ...more }],
});

/** Parts of the spec of an agent, most of them invalid. */
const invalidAgents: Readonly<Record<string, Fields>> = {
  'a timeout of 901 seconds': trigger('http-async', {
    path: '/assay',
    callbackUrl: 'https://example.com/assay',
    timeout: 901,
  }),
  'a timeout of 60 seconds': trigger('http-async', {
    path: '/assay',
    callbackUrl: 'https://example.com/assay',
    timeout: 60,
  }),
  'a timeout of an http trigger': trigger('http', { path: '/assay', timeout: 60 }),
  'a schedule with four fields': trigger('cron', { schedule: '0 9 * *' }),
  'a schedule with six fields': trigger('cron', { schedule: '0 0 9 * * 1' }),
  'a schedule that is no schedule': trigger('cron', { schedule: 'every day at noon now' }),
  'an unknown type of trigger': trigger('assay', { path: '/assay' }),
  'two triggers with one id': {
    triggers: [1, 2].map((each) => ({ id: 'same', type: 'http', configuration: { path: `/assay/${each}` } })),
  },
  'a trigger with a secret': trigger('http-async', {
    path: '/assay',
    callbackUrl: 'https://example.com/assay',
    callbackSecret: 'assay',
  }),
  'a relative mount path': volume({ mountPath: 'data' }),
  'a volume that does not exist': volume({ name: 'assay-no-such-volume' }),
  'a volume without a region': { ...volume({}), region: undefined },
  'a policy that does not exist': { policies: ['assay-no-such-policy'] },
  'an unknown generation': { runtime: { generation: 'mk4' } },
  'an agent that is disabled': { enabled: false },
  'an agent with status and events': { status: 'FAILED', events: [] },
  'a negative memory': { runtime: { memory: -1 } },
  'a canary of 101 percent': { revision: { canaryPercent: 101 } },
  'a secret variable': { runtime: { envs: [{ name: 'ASSAY_SECRET', value: 'two  spaces', secret: true }] } },
  'two variables with one name': { runtime: { envs: ['a', 'b'].map((value) => ({ name: 'ASSAY', value })) } },
};

export const twists: readonly Twist[] = [
  twist(VALID, () => ({}), 15),
  caller('no credential', 'none'),
  caller('an invented token', 'invented'),
  caller('a credential without its last character', 'cut', 'cutKey'),
  caller('a token without permissions', 'unrelated'),
  caller('an expired token', 'expired'),
  caller('a member', 'member'),
  caller('a workspace admin', 'workspaceAdmin'),
  twist('a token of the token endpoint', (_, { model, draw }, { security }) => {
    const offer = security ? draw.oneOf(model.offers('token')) : undefined;
    return offer && { caller: { token: offer.reference } };
  }),
  version('an unknown version', '2026-04-17', '2025-04-16', '2027-01-01'),
  version('an unknown preview version', '2026-04-16.preview'),
  version('a malformed version', 'v1', '2026-04-16x', '2026-02-30', '20260416', 'latest'),
  twist('an unknown name', (step, { model }, { pathParameters }) => {
    const last = pathParameters.at(-1)?.name;
    if (last === undefined || last === 'path' || last === 'accountId') return undefined;
    const name = model.newName();
    const own = metadataIn(step.body);
    const body = isFields(step.body) && 'name' in own ? { body: { ...step.body, metadata: { ...own, name } } } : {};
    return { path: { ...step.path, [last]: name }, ...body };
  }),
  twist('the name of a removed resource', (step, { model, draw }, known) => {
    const item = isOnItem(known) ? draw.oneOf(model.removed(known.path.replace(/\/\{\w+\}$/, ''))) : undefined;
    if (item === undefined) return undefined;
    const name = item.path[known.pathParameters.at(-1)!.name];
    const own = metadataIn(step.body);
    return {
      path: item.path,
      ...('name' in own && { body: { ...(step.body as object), metadata: { ...own, name } } }),
    };
  }),
  twist('a name that is taken', (step, { model, draw }, known) => {
    const items = isCreate(known) ? model.items(known.path).filter(({ isNew }) => isNew) : [];
    const item = draw.oneOf(items);
    const name = item && Object.values(item.path).at(-1);
    return name === undefined
      ? undefined
      : { body: { ...(step.body as object), metadata: { ...metadataIn(step.body), name } } };
  }),
  twist('another name in the body', (step, { model }, { method }) =>
    method === 'PUT' && 'name' in metadataIn(step.body)
      ? { body: { ...(step.body as object), metadata: { ...metadataIn(step.body), name: model.newName() } } }
      : undefined,
  ),
  twist('a name of 49 characters', (step, { model }, { method }) => {
    const own = metadataIn(step.body);
    if (method !== 'POST' || !('name' in own)) return undefined;
    const name = model.newName().replace(/>$/, ' of 49>');
    return { body: { ...(step.body as object), metadata: { ...own, name } } };
  }),
  metadata('a name of 50 characters or more', (name) => ({ name: `${name}${'-a'.repeat(25)}` })),
  metadata('a name in capitals', (name) => ({ name: `${name}A` })),
  metadata('a name with an underscore', (name) => ({ name: `${name}_a` })),
  metadata('a name that ends with a hyphen', (name) => ({ name: `${name}-` })),
  metadata('a displayName of 63 characters', () => ({ displayName: 'D'.repeat(63) })),
  metadata('a displayName of 64 characters', () => ({ displayName: 'D'.repeat(64) })),
  metadata('a label that is no string', () => ({ labels: { team: 1 } })),
  metadata('read-only metadata', () => ({
    createdBy: 'assay',
    plan: 'assay',
    workspace: 'assay',
    url: 'https://assay.example',
  })),
  twist('no metadata', ({ body }) =>
    isFields(body) && 'metadata' in body ? { body: without(body, 'metadata') } : undefined,
  ),
  twist('no spec', ({ body }) => (isFields(body) && 'spec' in body ? { body: without(body, 'spec') } : undefined)),
  twist('an additional field', ({ body }) => (isFields(body) ? { body: { ...body, assay: true } } : undefined)),
  twist('an additional nested field', ({ body }, { draw }) => {
    // Labels and files may have any name.
    const isOpen = (place: Place): boolean => place.includes('labels') || place.includes('files');
    const places = placesIn(body).filter(
      (place) => place.length > 0 && !isOpen(place) && isFields(valueAt(body, place)),
    );
    const place = draw.oneOf(places);
    return place && { body: replaceAt(body, place, { ...(valueAt(body, place) as Fields), assay: 'text' }) };
  }),
  twist('a value of another type', (step, known) => atPlace(step, known, ofAnotherType), 4),
  twist('an invalid value', (step, known) => atPlace(step, known, () => known.draw.oneOf(invalidValues)), 4),
  twist('a body that is no JSON', ({ body }, _, { method }) =>
    body === undefined || method === 'GET' ? undefined : { body: undefined, text: '{"metadata": ' },
  ),
  twist('an empty body', ({ body }, _, { method }) =>
    body === undefined || method === 'GET' ? undefined : { body: undefined, text: '' },
  ),
  twist('a list as the body', ({ body }) => (body === undefined ? undefined : { body: [body] })),
  ...Object.entries(invalidAgents).map(([name, spec]) =>
    twist(
      name,
      (step, _, { path }) => {
        if (!path.startsWith('/agents') || !isFields(step.body) || !isFields(step.body['spec'])) return undefined;
        const own = step.body['spec'];
        const runtime = { ...(own['runtime'] as object), ...(spec['runtime'] as object) };
        return { body: { ...step.body, spec: { ...own, ...spec, runtime } } };
      },
      1.5,
    ),
  ),
  query('no startTime', { startTime: undefined }),
  query('no endTime', { endTime: undefined }),
  ...(['startTime', 'endTime'] as const).map((name) =>
    twist(`a ${name} that is no time`, (step, { draw }) => queryOf(step, { [name]: draw.oneOf(noTimes) }), 2),
  ),
  query('an unknown resolution', { resolution: 'yearly' }),
  query('an unknown dimension', { groupBy: 'resource_type,region' }),
  query('a repeated dimension', { groupBy: 'resource_type,resource_type' }),
  query('four dimensions', { groupBy: 'workspace,resource_type,resource_name,billing_dimension' }),
  query('a dimension in capitals', { groupBy: 'Resource_Type' }),
  query('the parameter label', { label: 'team' }),
  query('the parameter unit', { unit: 'count' }),
  query('a limit of 0', { groupBy: 'resource_type', limit: '0' }),
  query('a negative limit', { groupBy: 'resource_type', limit: '-1' }),
  query('a limit that is no integer', { groupBy: 'resource_type', limit: '1.5' }),
  query('a limit of words', { groupBy: 'resource_type', limit: 'ten' }),
  query('an unknown billing dimension', { billingDimension: 'assay_unknown_gbs' }),
  query('an unknown resource type', { resourceType: 'assay-unknown' }),
  query('an invented cursor', { groupBy: 'resource_type', cursor: 'assay-invented' }),
  twist('the start after the end', (step) => {
    const { startTime, endTime } = step.query ?? {};
    return startTime && endTime ? { query: { ...step.query, startTime: endTime, endTime: startTime } } : undefined;
  }),
  ...(Object.keys(windowCaps) as (keyof typeof windowCaps)[]).map((resolution) =>
    twist(`a window of 1200 days and resolution ${resolution}`, (step, { window }) =>
      queryOf(step, { ...lastDays(window.end, 1200), resolution }),
    ),
  ),
  ...[7, 8, 90, 91, 365, 367].map((days) =>
    twist(`a window of ${days} days`, (step, { window, draw }) =>
      queryOf(step, {
        ...lastDays(window.end, days),
        resolution: draw.oneOf(['hourly', 'daily', 'weekly', undefined]),
      }),
    ),
  ),
  twist(
    'a member that asks about workspaces',
    (step, { draw }) => {
      const changed = queryOf(step, { groupBy: draw.oneOf(['workspace', 'workspace,resource_type'])! });
      return changed && { ...changed, caller: draw.oneOf(['member', 'workspaceAdmin'] as const)! };
    },
    2,
  ),
  authorization('an unknown response type', { response_type: 'assay' }),
  authorization('no response type', { response_type: undefined }),
  authorization('an unknown scope of a code', { scope: 'assay:unknown' }),
  authorization('no state', { state: undefined }),
  authorization('an unknown redirection URI', { redirect_uri: 'https://assay.example/elsewhere' }),
  authorization('an unknown client', { client_id: 'assay-unknown' }),
  ...['password', '', 'Client_Credentials'].map((grant) =>
    twist(`the grant type "${grant}"`, ({ operation: id, text }) =>
      id === 'requestToken' ? { text: text!.replace('client_credentials', grant) } : undefined,
    ),
  ),
  twist('an unknown scope', ({ operation: id, text }) =>
    id === 'requestToken' ? { text: `${text!.replace(/&scope=.*$/, '')}&scope=assay:unknown` } : undefined,
  ),
  twist(
    'a wrong client secret',
    ({ operation: id, headers }) =>
      id === 'requestToken' ? { headers: { ...headers, Authorization: 'Basic <own wrongBasic>' } } : undefined,
    0.3,
  ),
];

/** Without groups, so that there is one page. */
const lastDays = (end: number, days: number): Record<string, string | undefined> => ({
  startTime: timestamp(end - days * DAY),
  endTime: timestamp(end),
  groupBy: undefined,
  limit: undefined,
});

const without = (body: Readonly<Record<string, unknown>>, name: string): object =>
  Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));

/** Undefined if the twist does not apply. */
export function withTwist(step: Step, { name, change }: Twist, known: Known): Step | undefined {
  const changed = change(step, known, operation(step.operation));
  return changed && { ...step, ...changed, context: name };
}
