/** auth.metrics.*: billing metrics without a valid Bearer credential. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { requestVariants } from '../kit/metrics/request-variants.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { strangersOf } from '../kit/auth/carriers.ts';
import { notRefusedMismatches } from '../kit/auth/refused.ts';

conforms('auth.metrics.bearer-required', async (run) => {
  run.need(run.target.account, 'the account of the target');
  let successCount = 0;
  for (const [id, query] of await metricsQueries(run)) {
    const before = await sendAsStrangers(run, id, query);
    const control = await run.client.call(id, { query });
    // A server that caches responses must not return them to another caller.
    const after = await sendAsStrangers(run, id, query);
    run.check(
      ...[...before, ...after].map(([who, exchange]) => [
        ...notRefusedMismatches(exchange, who, control),
        ...noMetrics(exchange),
      ]),
    );
    if (isSuccessful(control)) successCount += 1;
  }
  run.need(successCount > 0, 'metrics with a 2xx response');
});

type Query = Readonly<Record<string, string | number>>;

/**
 * The first page and the next, grouped or not, with each parameter and with the filters together, and both lists of
 * values.
 */
async function metricsQueries(run: Run): Promise<[OperationId, Query][]> {
  const window = { ...pastWindow(run) };
  const grouped = { ...window, groupBy: 'resource_type', limit: 1 };
  const first = await run.client.call('getAccountMetrics', { query: grouped });
  const { meta } = (first.response.json ?? {}) as { meta?: { nextCursor?: unknown } };
  const cursor = meta?.nextCursor;
  return [
    ['getAccountMetrics', window],
    ['getAccountMetrics', grouped],
    ['getAccountMetrics', { ...window, groupBy: 'billing_dimension' }],
    ...(await parameterQueries(run)).map((more): [OperationId, Query] => ['getAccountMetrics', { ...window, ...more }]),
    ...(typeof cursor !== 'string' || cursor === ''
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

async function sendAsStrangers(run: Run, id: OperationId, query: Query): Promise<[who: string, Exchange][]> {
  const basic = { who: 'a Basic credential', headers: { Authorization: 'Basic YXNzYXk6YXNzYXk=' } };
  const input: CallInput = { query };
  const all: [string, Exchange][] = [];
  for (const stranger of strangersOf(run)) all.push([stranger.who, await stranger.send(id, input)]);
  all.push([basic.who, await run.as('none').call(id, { ...input, headers: basic.headers })]);
  return all;
}

const METRICS_MEMBERS = ['data', 'summary', 'values'];

/** For any status. */
function noMetrics(exchange: Exchange): Mismatch[] {
  const { json } = exchange.response;
  const found = METRICS_MEMBERS.filter((part) => typeof json === 'object' && json !== null && part in json);
  return found.map((part) => ({ expected: 'no metrics in the body', actual: `${part} in it`, exchange }));
}
