/** accounts.list.*: the response contains an account identifier that the metrics operations accept. */
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { accountCandidates, accountPages, candidatesIn, hasNextPage } from '../target/account.ts';

const MAX_TRIED = 100;

/** Whether metrics accept one of the values, cannot be seen; that there is none can. */
judges('accounts.list.gives-account-id', 'listAccounts', ({ caller, query, status, json, exchange }) => {
  // Parameters may filter the list.
  if (caller !== 'admin' || status !== 200 || query.length > 0) return undefined;
  const hasCandidate = candidatesIn(json).length > 0;
  return hasCandidate ? [] : [{ expected: 'an account identifier', actual: 'no value that may be one', exchange }];
});

// The response shape is undocumented: the identifier may be anywhere in it.
conforms('accounts.list.gives-account-id', async (run) => {
  const exchange = await run.as('admin').call('listAccounts');
  run.check(statusClass(exchange, '2xx'));
  const { account, addresses } = run.target;
  if (account !== undefined) run.need(await metricsAccept(run, account), 'metrics that the admin may read');
  const pages = await accountPages(exchange.response, addresses.management ?? '', async (path) => {
    const page = await run.as('admin').send({ surface: 'management', method: 'GET', path });
    return page.response;
  });
  const values = accountCandidates(pages);
  if (account !== undefined && values.includes(account)) return run.check([]);
  for (const value of values.slice(0, MAX_TRIED)) if (await metricsAccept(run, value)) return run.check([]);
  run.need(values.length <= MAX_TRIED, 'a response with the identifier among its first values');
  run.need(!hasNextPage(pages.at(-1)!), 'a list of accounts whose next page a Link header names');
  const actual = `${values.length} values, none accepted`;
  run.check([{ expected: 'an account identifier that the metrics operations accept', actual, exchange }]);
});

/** The metrics and both of their lists. */
async function metricsAccept(run: Run, accountId: string): Promise<boolean> {
  const path = { accountId };
  const inWindow = { path, query: { ...pastWindow(run) } };
  const requests = [
    ['listMetricsGroupBy', { path }],
    ['getAccountMetrics', inWindow],
    ['listMetricsResourceTypes', inWindow],
  ] as const;
  for (const [id, input] of requests) if (!isSuccessful(await run.as('admin').call(id, input))) return false;
  return true;
}
