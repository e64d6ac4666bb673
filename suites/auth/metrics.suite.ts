/** auth.metrics.*: billing metrics without a valid Bearer credential. */
import { conforms } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { neededAccount } from '../target/needed-account.ts';
import { requestVariants } from '../kit/metrics/request-variants.ts';
import { enumValuesIn, metricsIn } from '../kit/metrics/metrics-in.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { strangersOf } from '../kit/auth/carriers.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { judges } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { credentialsOf, isStranger, notRefused } from '../kit/auth/seen-callers.ts';
import { notRefusedMismatches } from '../kit/auth/refused.ts';

judges('auth.metrics.bearer-required', requirement('auth.metrics.bearer-required').operations, (seen, facts) => {
  if (!isStranger(seen, facts) && !isBasic(seen, facts)) return undefined;
  const mismatches = notRefused(seen);
  return mismatches && [...mismatches, ...(seen.json === undefined ? [] : noMetrics(seen.operation.id, seen.exchange))];
});

/** A credential that is not a Bearer one. */
function isBasic(seen: Seen, facts: Facts): boolean {
  const [value = '', ...others] = credentialsOf(seen, facts).values();
  return others.length === 0 && /^basic /i.test(value);
}

conforms('auth.metrics.bearer-required', async (run) => {
  neededAccount(run.target);
  let successCount = 0;
  const { 'no credential': anonymous, ...others } = sendersOf(run);
  const queries = withStrangers(await metricsQueries(run), Object.keys(others));
  await run.forEach(queries, async ({ id, query, stranger }) => {
    const before = await others[stranger]!(id, { query });
    const control = await run.client.call(id, { query });
    // A server that caches responses must not return them to another caller.
    const after = await anonymous!(id, { query });
    if (isSuccessful(control)) successCount += 1;
    return [
      ...notRefusedMismatches(before, stranger, control),
      ...notRefusedMismatches(after, 'no credential', control),
      ...noMetrics(id, before),
      ...noMetrics(id, after),
    ];
  });
  run.need(successCount > 0, 'metrics with a 2xx response');
});

interface StrangerQuery {
  readonly id: OperationId;
  readonly query: Query;
  /** Who sends it besides a permitted caller and one without a credential. */
  readonly stranger: string;
}

const withStrangers = (queries: readonly [OperationId, Query][], strangers: readonly string[]): StrangerQuery[] =>
  queries.map(([id, query], index) => ({ id, query, stranger: strangers[index % strangers.length]! }));

type Query = Readonly<Record<string, string | number>>;

const cursorOfRun = sharedValue<string | undefined>();

/**
 * The first page and the next, grouped or not, with each parameter and with the filters together, and both lists of
 * values.
 */
async function metricsQueries(run: Run): Promise<[OperationId, Query][]> {
  const window = { ...pastWindow(run) };
  const grouped = { ...window, groupBy: 'resource_type', limit: 1 };
  const cursor = await cursorOfRun.get(run, async () => {
    const first = await run.client.call('getAccountMetrics', { query: grouped });
    const { meta } = (first.response.json ?? {}) as { meta?: { nextCursor?: unknown } };
    return typeof meta?.nextCursor === 'string' ? meta.nextCursor : undefined;
  });
  return [
    ['getAccountMetrics', window],
    ['getAccountMetrics', grouped],
    ['getAccountMetrics', { ...window, groupBy: 'billing_dimension' }],
    ...(await parameterQueries(run)).map((more): [OperationId, Query] => ['getAccountMetrics', { ...window, ...more }]),
    ...(cursor === undefined || cursor === ''
      ? []
      : [['getAccountMetrics', { ...grouped, cursor }] as [OperationId, Query]]),
    ['listMetricsGroupBy', {}],
    ['listMetricsResourceTypes', window],
  ];
}

/** Includes the workspace if a credential may be an account admin. */
async function parameterQueries(run: Run): Promise<Query[]> {
  const { workspace, credentials } = run.target;
  const { each } = await requestVariants(run, {
    excluded: ['workspace', 'groupBy'],
    resolutions: ['daily', 'monthly'],
  });
  const single = each
    .map(({ parameters }) => parameters as Query)
    .filter((parameters) => Object.keys(parameters).length > 0);
  const unknown = workspace === undefined || (credentials.admin ?? credentials.apiKey) === undefined;
  return unknown ? single : [...single, { workspace }, { workspace, groupBy: 'resource_type' }];
}

type Send = (id: OperationId, input: CallInput) => Promise<Exchange>;

/** How each caller without a Bearer credential sends requests. */
function sendersOf(run: Run): Readonly<Record<string, Send>> {
  const headers = { Authorization: 'Basic YXNzYXk6YXNzYXk=' };
  const strangers = strangersOf(run).map((each): [string, Send] => [each.who, (id, input) => each.send(id, input)]);
  return {
    ...Object.fromEntries(strangers),
    'a Basic credential': (id, input) => run.as('none').call(id, { ...input, headers }),
  };
}

/** For any status. */
function noMetrics(id: OperationId, exchange: Exchange): Mismatch[] {
  const found = (id === 'getAccountMetrics' ? metricsIn : enumValuesIn)(exchange.response.json);
  return found.map((part) => ({ expected: 'no metrics in the body', actual: `${part} in it`, exchange }));
}
