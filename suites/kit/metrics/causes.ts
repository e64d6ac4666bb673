/** Why a response to a metrics query shows nothing: a valid parameter is refused, every query is, or the body cannot be read. */
import type { MustId } from '../../../spec/requirements/index.ts';
import { requirement } from '../../../spec/requirements/index.ts';
import { resolutions } from '../../../spec/values.ts';
import { NotTried } from '../../engine/conforms.ts';
import type { AreaCauses, CauseRun, SharedRun } from '../../engine/other-causes.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { isInvalid } from '../../expect/status.ts';
import { saysNothing } from '../../judge/judgement.ts';
import { seenOf, type Facts, type Seen } from '../../judge/seen.ts';
import type { Exchange } from '../../target/exchange.ts';
import type { Cause } from '../../target/violation.ts';
import { costMismatch, flawMismatch, METRICS_ROUTE, requestMetrics } from './request.ts';
import type { MetricsQuery } from './request.ts';
import { isValidParameter } from './seen-query.ts';
import { DAY, lengthOf, recentDay, startOf, windowOf, type Window } from './windows.ts';

const { maxLimit } = requirement('metrics.pagination.limit-clamped').values;

/** The longest window with a cap. What began earlier may be gone: no sentence says how long figures are kept. */
const YEAR = 365 * DAY;
const MONTH = 30 * DAY;

/** As an interval of ISO 8601, in place of a value of startTime. */
const intervalOf = (query: Window): string => `${query.startTime}/${query.endTime}`;

function windowIn(interval: string): Window {
  const [startTime = '', endTime = ''] = interval.split('/');
  return { startTime, endTime };
}

/** The rules that say that a valid value of a parameter is accepted. Of none, a target may refuse it. */
const rulesAbout: Readonly<Record<string, (value: string) => readonly MustId[]>> = {
  startTime: (value) => (lengthOf(windowIn(value)) < YEAR ? [] : ['metrics.resolution.monthly-uncapped']),
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

/** The rules that say that a query with nothing but a window is accepted. */
const rulesAboutAny: readonly MustId[] = ['metrics.answer.shape-and-echo'];

/** A refusal as invalid, or an error of the server that is not about the moment. */
const isUnexpected = (exchange: Exchange): boolean => {
  const { status } = exchange.response;
  return isInvalid(exchange) || (status >= 500 && !saysNothing(status));
};

/** A part of a query, sent without any other: nothing but this part can explain the refusal. Null: it is accepted. */
type Probed = Map<string, Promise<Cause | null>>;
const probedInRun = sharedValue<Probed>();
/** What the probes of a run have found. */
const foundInRun = new WeakMap<object, Map<string, Cause>>();

const PLAIN = '';
const keyOf = (name: string, value: string): string => `${name}=${value}`;

/** The parts of a valid query that may be refused alone, in the order in which they are tried. */
function partsOf(seen: Seen, facts: Facts): [name: string, value: string][] {
  const isKnown = (name: string, value: string): boolean =>
    name === 'resolution' ? resolutions.some((each) => each === value) : isValidParameter(seen, name, facts);
  const window = { startTime: seen.parameter('startTime') ?? '', endTime: seen.parameter('endTime') ?? '' };
  return Object.keys(rulesAbout).flatMap((name): [string, string][] => {
    if (name === 'startTime') return startOf(window) < Date.now() - YEAR ? [[name, intervalOf(window)]] : [];
    const value = seen.parameter(name);
    return value !== undefined && isKnown(name, value) ? [[name, value]] : [];
  });
}

const queryOf = (name: string, value: string): MetricsQuery => ({
  ...(name === 'startTime' ? windowIn(value) : { [name]: value }),
  // A target may refuse a limit elsewhere.
  ...(name === 'limit' && { groupBy: 'resource_type' }),
});

async function probe(run: CauseRun, key: string, query: MetricsQuery, rules: readonly MustId[]): Promise<Cause | null> {
  const probed = await probedInRun.get(run, async () => new Map());
  const known = probed.get(key) ?? send(run, key, query, rules);
  probed.set(key, known);
  return known;
}

async function send(run: CauseRun, key: string, query: MetricsQuery, rules: readonly MustId[]): Promise<Cause | null> {
  const exchange = await requestMetrics(run.client, { ...recentDay(run), ...query }).catch(undefinedIfNotTried);
  if (exchange === undefined || !isUnexpected(exchange)) return null;
  const earlier = query.startTime === undefined ? undefined : aMonthBefore(query);
  if (earlier !== undefined && (await isAccepted(run, { ...earlier }))) return null;
  const request = key === PLAIN ? METRICS_ROUTE : `${METRICS_ROUTE} with ${key}`;
  const broken = rules.length === 0 ? 'and no rule says that it is accepted' : `which breaks ${rules.join(' and ')}`;
  const missing = `a 200 response to ${request}: it got ${exchange.response.status}, ${broken}`;
  const found = foundInRun.get(run.shared) ?? new Map<string, Cause>();
  foundInRun.set(run.shared, found);
  const cause = { rules, missing };
  found.set(key, cause);
  if (earlier !== undefined) found.set(keyOf('startTime', intervalOf(earlier)), cause);
  return cause;
}

/** A window of the same length. If it is accepted, figures of that time are kept. */
function aMonthBefore({ startTime = '', endTime = '' }: MetricsQuery): Window {
  const [start, end] = [startTime, endTime].map((time) => Date.parse(time) - MONTH);
  return windowOf(start!, end!);
}

const isAccepted = async (run: CauseRun, query: MetricsQuery): Promise<boolean> =>
  (await requestMetrics(run.client, query).catch(undefinedIfNotTried))?.response.status === 200;

function undefinedIfNotTried(error: unknown): undefined {
  if (error instanceof NotTried) return undefined;
  throw error;
}

async function causeOf(run: CauseRun, exchange: Exchange): Promise<Cause | undefined> {
  const seen = seenOf(exchange, run.target);
  if (seen?.operation.id !== 'getAccountMetrics') return undefined;
  if (seen.status === 200) return (flawMismatch(exchange) ?? costMismatch(exchange))?.cause;
  if (!isUnexpected(exchange)) return undefined;
  const known = knownCause(run, seen) ?? (await probe(run, PLAIN, {}, rulesAboutAny));
  if (known !== null) return known;
  for (const [name, value] of partsOf(seen, run.target)) {
    const cause = await probe(run, keyOf(name, value), queryOf(name, value), rulesAbout[name]!(value));
    if (cause !== null) return cause;
  }
  return undefined;
}

function knownCause({ shared, target }: SharedRun, seen: Seen): Cause | undefined {
  const found = foundInRun.get(shared);
  const keys = [PLAIN, ...partsOf(seen, target).map(([name, value]) => keyOf(name, value))];
  return keys.map((key) => found?.get(key)).find((cause) => cause !== undefined);
}

function knownCauseOf(run: SharedRun, exchange: Exchange): Cause | undefined {
  const seen = seenOf(exchange, run.target);
  const isQuery = seen?.operation.id === 'getAccountMetrics' && isUnexpected(exchange);
  return isQuery ? knownCause(run, seen) : undefined;
}

export const metricsCauses: AreaCauses = { causeOf, knownCauseOf };

/** The control of a case about refusals: throws NotTried if the target refuses this valid query as well. */
export async function needAccepted(run: CauseRun, query: MetricsQuery): Promise<void> {
  const exchange = await requestMetrics(run.client, query);
  await needSuccess(run, exchange, 'a valid metrics query');
}

/** Throws NotTried unless the status is 200. */
export async function needSuccess(run: CauseRun, exchange: Exchange, query: string): Promise<void> {
  const { status } = exchange.response;
  if (status === 200) return;
  throw new NotTried((await causeOf(run, exchange))?.missing ?? `a 200 response to ${query} (status ${status})`);
}
