/**
 * Why a response to a metrics query shows nothing: a valid parameter is refused, every query is, or the body cannot be read. And why
 * a list of resource types is refused: its window begins too long ago. Both may be refused because the window is short
 * (decision 066).
 */
import type { MustId } from '../../../spec/requirements/index.ts';
import { requirement } from '../../../spec/requirements/index.ts';
import { resolutions } from '../../../spec/values.ts';
import { NotTried } from '../../engine/conforms.ts';
import { isOf, type AreaCauses, type CauseRun, type SharedRun } from '../../engine/other-causes.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { isInvalid, status } from '../../expect/status.ts';
import { saysNothing } from '../../judge/judgement.ts';
import { seenOf, type Facts, type Seen } from '../../judge/seen.ts';
import type { Exchange } from '../../target/exchange.ts';
import { Violation, type Cause } from '../../target/violation.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { costMismatch, flawMismatch, METRICS_ROUTE, requestMetrics, TYPES_ROUTE } from './request.ts';
import type { MetricsQuery } from './request.ts';
import { isValidParameter } from './seen-query.ts';
import { DAY, HOUR, SECOND, endOf, lastOf, lengthOf, recentDay, startOf, windowOf, type Window } from './windows.ts';

const { maxLimit } = requirement('metrics.pagination.limit-clamped').values;

/** The longest window with a cap. What began earlier may be gone: no sentence says how long figures are kept. */
const YEAR = 365 * DAY;
const MONTH = 30 * DAY;

/** A part of a valid query that may be refused alone. */
interface Part {
  readonly name: string;
  /** What is named in a message: the parameter with its value. */
  readonly key: string;
  /** This part, without any other. */
  readonly query: MetricsQuery;
  /** The rules that say that it is accepted. Of none, a target may refuse it. */
  readonly rules: readonly MustId[];
  /** A part that a target refuses as well, unless it has no figures of the time of this one. */
  readonly earlier?: Part;
}

/** A query with nothing but a window of a day. */
const plain: Part = { name: '', key: '', query: {}, rules: ['metrics.answer.shape-and-echo'] };

/** The rules that say that a valid value of a parameter is accepted. */
const rulesAbout: Readonly<Record<string, (value: string) => readonly MustId[]>> = {
  resolution: () => ['metrics.resolution.explicit-echoed'],
  groupBy: (value) => [
    'metrics.group-by.every-set-accepted',
    ...(value.includes(',') ? [] : (['metrics.enums.group-by-values-accepted'] as const)),
    ...(value.split(',').includes('workspace') ? (['metrics.roles.admin-may-use-both'] as const) : []),
  ],
  limit: (value) => [
    Number(value) > maxLimit ? 'metrics.pagination.limit-clamped' : 'metrics.pagination.every-group-once',
  ],
  workspace: () => ['metrics.filters.filter-is-the-slice', 'metrics.roles.admin-may-use-both'],
  resourceType: () => ['metrics.filters.filter-is-the-slice'],
  resourceName: () => ['metrics.filters.filter-is-the-slice'],
  resourceUuid: () => ['metrics.filters.filter-is-the-slice'],
  billingDimension: () => ['metrics.filters.filter-is-the-slice'],
};

function parameterPart(name: string, value: string): Part {
  // A target may refuse a limit elsewhere.
  const query = { [name]: value, ...(name === 'limit' && { groupBy: 'resource_type' }) };
  return { name, key: `${name}=${value}`, query, rules: rulesAbout[name]!(value) };
}

const windowPart = (window: Window): Part => ({
  name: 'startTime',
  // As an interval of ISO 8601.
  key: `startTime=${window.startTime}/${window.endTime}`,
  query: { ...window },
  rules: lengthOf(window) < YEAR ? [] : ['metrics.resolution.monthly-uncapped'],
});

/** A window, and one of the same length before it: if that is accepted, figures of that time are kept. */
function oldWindowPart(window: Window): Part {
  const [start, end] = [window.startTime, window.endTime].map((time) => Date.parse(time) - MONTH);
  return { ...windowPart(window), earlier: windowPart(windowOf(start!, end!)) };
}

const windowOfQuery = (seen: Seen): Window => ({
  startTime: seen.parameter('startTime') ?? '',
  endTime: seen.parameter('endTime') ?? '',
});

/** A refusal as invalid, or an error of the server that is not about the moment. */
const isUnexpected = (exchange: Exchange): boolean => {
  const { status: code } = exchange.response;
  return isInvalid(exchange) || (code >= 500 && !saysNothing(code));
};

/** By the key of a part that was sent without any other: nothing but this part can explain the refusal. Null: it is accepted. */
type Probed = Map<string, Promise<Cause | null>>;
const probedInRun = sharedValue<Probed>();
/** What the probes of a run have found, by the key of a part and by its name. */
const foundInRun = new WeakMap<object, Map<string, Cause>>();

function foundOf({ shared }: SharedRun): Map<string, Cause> {
  const found = foundInRun.get(shared) ?? new Map<string, Cause>();
  foundInRun.set(shared, found);
  return found;
}

/** The parts of a valid query that may be refused alone, in the order in which they are tried. */
function partsOf(seen: Seen, facts: Facts): Part[] {
  const isKnown = (name: string, value: string): boolean =>
    name === 'resolution' ? resolutions.some((each) => each === value) : isValidParameter(seen, name, facts);
  const window = windowOfQuery(seen);
  const parameters = Object.keys(rulesAbout).flatMap((name) => {
    const value = seen.parameter(name);
    return value !== undefined && isKnown(name, value) ? [parameterPart(name, value)] : [];
  });
  return startOf(window) < Date.now() - YEAR ? [oldWindowPart(window), ...parameters] : parameters;
}

async function probe(run: CauseRun, part: Part): Promise<Cause | null> {
  const probed = await probedInRun.get(run, async () => new Map());
  const known = probed.get(part.key) ?? send(run, part);
  probed.set(part.key, known);
  return known;
}

async function send(run: CauseRun, { name, key, query, rules, earlier }: Part): Promise<Cause | null> {
  const exchange = await undefinedIfNotTried(requestMetrics(run.client, { ...recentDay(run), ...query }));
  if (exchange === undefined || !isUnexpected(exchange)) return null;
  if (earlier !== undefined && (await isAccepted(run, earlier.query))) return null;
  const request = key === plain.key ? METRICS_ROUTE : `${METRICS_ROUTE} with ${key}`;
  const broken = rules.length === 0 ? 'and no rule says that it is accepted' : `which breaks ${rules.join(' and ')}`;
  const missing = `a 200 response to ${request}: it got ${exchange.response.status}, ${broken}`;
  const found = foundOf(run);
  const cause = { rules, missing };
  found.set(key, cause).set(name, cause);
  if (earlier !== undefined) found.set(earlier.key, cause);
  return cause;
}

const isAccepted = async (run: CauseRun, query: MetricsQuery): Promise<boolean> =>
  (await undefinedIfNotTried(requestMetrics(run.client, query)))?.response.status === 200;

/** Names the cause of all refusals of a list of resource types because its window begins long ago. */
const OLD_LIST = 'resource types of an old window';

/** Undefined unless it begins so long ago that figures may be gone. */
function oldWindowOf(seen: Seen): Window | undefined {
  const window = windowOfQuery(seen);
  return startOf(window) < Date.now() - YEAR && lengthOf(window) > 0 ? window : undefined;
}

const listTypes = (run: CauseRun, window: Window): Promise<Exchange | undefined> =>
  undefinedIfNotTried(run.client.call('listMetricsResourceTypes', { query: { ...window } }));

/** The window is refused because of its age if its first day is, too, and a recent day is not. */
async function findOldList(run: CauseRun, window: Window): Promise<Cause | null> {
  const firstDay = windowOf(startOf(window), Math.min(startOf(window) + DAY, endOf(window)));
  const old = await listTypes(run, firstDay);
  if (old === undefined || !isInvalid(old)) return null;
  if ((await listTypes(run, recentDay(run)))?.response.status !== 200) return null;
  const refusal = `it got ${old.response.status}, and no rule says that it is accepted`;
  const cause = {
    rules: [],
    missing: `a 200 response to ${TYPES_ROUTE} with a window that began more than a year ago: ${refusal}`,
  };
  foundOf(run).set(OLD_LIST, cause);
  return cause;
}

/** The operations with a window. */
const windowRequests = {
  getAccountMetrics: (run: CauseRun, window: Window) => undefinedIfNotTried(requestMetrics(run.client, { ...window })),
  listMetricsResourceTypes: listTypes,
} as const;
type WindowOperation = keyof typeof windowRequests;

/** A window is refused because it is short if one of that length on a recent day is, too, and one of an hour is not. */
async function findShort(run: CauseRun, operation: WindowOperation, length: number): Promise<Cause | null> {
  const request = windowRequests[operation];
  const day = recentDay(run);
  const refused = await request(run, lastOf(day, length));
  if (refused === undefined || !isInvalid(refused)) return null;
  if ((await request(run, lastOf(day, HOUR)))?.response.status !== 200) return null;
  const missing = `a target that accepts windows of ${length / SECOND} s (status ${refused.response.status})`;
  const cause = { rules: [], missing };
  foundOf(run).set(nameOfShort(operation), cause);
  return cause;
}

/** Names the cause of all refusals of short windows. */
const nameOfShort = (operation: WindowOperation): string => `${operation} short window`;

/** Milliseconds. Undefined if every target accepts a window of this length. */
function shortLengthOf(seen: Seen): number | undefined {
  const length = lengthOf(windowOfQuery(seen));
  return length > 0 && length < HOUR ? length : undefined;
}

async function causeOfShort(run: CauseRun, seen: Seen, exchange: Exchange): Promise<Cause | undefined> {
  const length = shortLengthOf(seen);
  if (length === undefined || !isInvalid(exchange)) return undefined;
  const operation = seen.operation.id as WindowOperation;
  const probed = await probedInRun.get(run, async () => new Map());
  const key = `${nameOfShort(operation)} ${length}`;
  const known = probed.get(key) ?? findShort(run, operation, length);
  probed.set(key, known);
  return (await known) ?? undefined;
}

const knownCauseOfShort = ({ shared }: SharedRun, seen: Seen, exchange: Exchange): Cause | undefined =>
  isInvalid(exchange) && shortLengthOf(seen) !== undefined
    ? foundInRun.get(shared)?.get(nameOfShort(seen.operation.id as WindowOperation))
    : undefined;

async function causeOfOldList(run: CauseRun, seen: Seen, exchange: Exchange): Promise<Cause | undefined> {
  const window = isInvalid(exchange) ? oldWindowOf(seen) : undefined;
  if (window === undefined) return undefined;
  const probed = await probedInRun.get(run, async () => new Map());
  const key = `${OLD_LIST} ${window.startTime}`;
  const known = probed.get(key) ?? findOldList(run, window);
  probed.set(key, known);
  return (await known) ?? undefined;
}

async function causeOf(run: CauseRun, exchange: Exchange): Promise<Cause | undefined> {
  const seen = seenOf(exchange, run.target);
  if (seen?.operation.id === 'listMetricsResourceTypes')
    return (await causeOfShort(run, seen, exchange)) ?? causeOfOldList(run, seen, exchange);
  if (seen?.operation.id !== 'getAccountMetrics') return undefined;
  if (seen.status === 200) return (flawMismatch(exchange) ?? costMismatch(exchange))?.cause;
  if (!isUnexpected(exchange)) return undefined;
  const known = knownCause(run, seen) ?? (await probe(run, plain));
  if (known !== null) return known;
  const short = await causeOfShort(run, seen, exchange);
  if (short !== undefined) return short;
  for (const part of partsOf(seen, run.target)) {
    const cause = await probe(run, part);
    if (cause !== null) return cause;
  }
  return undefined;
}

function knownCause({ shared, target }: SharedRun, seen: Seen): Cause | undefined {
  const found = foundInRun.get(shared);
  return [plain, ...partsOf(seen, target)].map(({ key }) => found?.get(key)).find((cause) => cause !== undefined);
}

/** Nothing more is sent, so the refusal of another value of the parameter counts, too. */
function knownCauseOf(run: SharedRun, exchange: Exchange): Cause | undefined {
  const seen = seenOf(exchange, run.target);
  const found = foundInRun.get(run.shared);
  if (seen?.operation.id === 'listMetricsResourceTypes') {
    const isOfOldList = isInvalid(exchange) && oldWindowOf(seen) !== undefined;
    return knownCauseOfShort(run, seen, exchange) ?? (isOfOldList ? found?.get(OLD_LIST) : undefined);
  }
  if (seen?.operation.id !== 'getAccountMetrics' || !isUnexpected(exchange)) return undefined;
  const known = [plain, ...partsOf(seen, run.target)].map(({ name }) => found?.get(name));
  return known.find((cause) => cause !== undefined) ?? knownCauseOfShort(run, seen, exchange);
}

export const metricsCauses: AreaCauses = { causeOf, knownCauseOf };

/** The control of a case about refusals: throws NotTried if the target refuses this valid query as well. */
export async function needAccepted(run: CauseRun, query: MetricsQuery): Promise<void> {
  const exchange = await requestMetrics(run.client, query);
  await needSuccess(run, exchange, 'a valid metrics query');
}

/** Throws NotTried unless the status is 200; Violation if its refusal breaks the rule of the case. */
export async function needSuccess(run: CauseRun, exchange: Exchange, query: string): Promise<void> {
  if (exchange.response.status === 200) return;
  const cause = await causeOf(run, exchange);
  if (cause !== undefined && isOf(cause, run.rule)) throw new Violation(status(exchange, 200));
  throw new NotTried(cause?.missing ?? `a 200 response to ${query} (status ${exchange.response.status})`);
}
