/** metrics.accounts.*: a caller reads the metrics of its own account only. */
import * as fc from 'fast-check';
import { credentialNames } from '../../spec/formats/target-values.ts';
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { NotTried, conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Mismatch } from '../target/violation.ts';
import { statusClass } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { byBrandHeader } from '../kit/provision/caller-variants.ts';
import { strongestCredentialName } from '../engine/callers.ts';
import type { Client, Exchange } from '../target/client.ts';
import { needAccepted } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { secondPageVariants } from '../kit/metrics/request-variants.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

conforms('metrics.accounts.foreign-refused', async (run) => {
  const { account } = run.target;
  if (account === undefined) throw new NotTried('the account of the target');
  const window = pastWindow(run);
  await needAccepted(run, { ...window });
  const others = ['resource_type', 'resource_name,billing_dimension'].map((groupBy) => ({ groupBy }));
  const strongest = run.need(strongestCredentialName(run.target), 'a credential that is not of a single scope');
  const callers = credentialNames.filter((name) => name !== 'expired' && run.target.credentials[name] !== undefined);
  const own = await ownAccounts(run, callers);
  const foreign = nearMisses(account).filter((accountId) => !own.has(accountId));
  const examples = foreign.flatMap((accountId) => callers.map((caller) => ({ accountId, caller, rest: {} })));
  await run.forAll(
    {
      accountId: otherAccount(account).filter((accountId) => !own.has(accountId)),
      caller: fc.constantFrom(...callers),
      rest: fc.constantFrom({}, ...others, { resourceType: 'sandbox' }),
    },
    async ({ accountId, caller, rest }) => {
      const client = run.as(caller);
      const metrics = await client.call('getAccountMetrics', { path: { accountId }, query: { ...window, ...rest } });
      const types = await client.call('listMetricsResourceTypes', { path: { accountId }, query: { ...window } });
      return [...statusClass(metrics, '4xx'), ...noMetrics(metrics), ...noTypes(types)];
    },
    { runs: scaleRuns(run, 60), examples },
  );
  await checkOtherWays(run, { accounts: foreign.slice(0, 2), strongest, callers, window });
});

/** Foreign accounts with a cursor of the caller's own account, and with the brand's authorization header. */
async function checkOtherWays(run: Run, { accounts, strongest, callers, window }: ForeignRequests): Promise<void> {
  const secondPages = await secondPageVariants(run, window);
  for (const accountId of accounts) {
    for (const { parameters } of secondPages) await checkForeign(run, accountId, run.as(strongest), parameters);
    for (const caller of callers) await checkForeign(run, accountId, brandClient(run, caller), { ...window });
  }
}

interface ForeignRequests {
  readonly accounts: readonly string[];
  readonly strongest: CredentialName;
  readonly callers: readonly CredentialName[];
  readonly window: Window;
}

function brandClient(run: Run, caller: CredentialName): Client {
  const { value } = run.need(run.target.credentials[caller], `the credential ${caller}`);
  return byBrandHeader(run, run.as(caller), value);
}

async function checkForeign(run: Run, accountId: string, client: Client, query: MetricsQuery): Promise<void> {
  const exchange = await client.call('getAccountMetrics', { path: { accountId }, query: { ...query } });
  run.check(statusClass(exchange, '4xx'), noMetrics(exchange));
}

/** Every identifier in the account lists of these callers: a caller may have several accounts with similar ids. */
async function ownAccounts(run: Run, callers: readonly CredentialName[]): Promise<ReadonlySet<string>> {
  const accountIds: string[] = [];
  for (const caller of callers) accountIds.push(...valuesIn((await run.as(caller).call('listAccounts')).response.json));
  return new Set(accountIds);
}

/** Strings and numbers at any depth: the list's format is not documented. */
function valuesIn(json: unknown): string[] {
  if (typeof json === 'object' && json !== null) return Object.values(json).flatMap(valuesIn);
  return typeof json === 'string' || typeof json === 'number' ? [String(json)] : [];
}

/**
 * One edit away from the caller's own id: a server that compares only a part of it accepts them. A number with
 * leading zeros is not among them: it equals the id.
 */
function nearMisses(account: string): string[] {
  const isNumber = /^\d+$/.test(account);
  const last = account.endsWith('0') ? '1' : '0';
  const first = account.startsWith('1') ? '2' : '1';
  return [
    `${account}0`,
    ...(account.length > 1 ? [account.slice(0, -1)] : []),
    `${isNumber ? '1' : '0'}${account}`,
    account.slice(0, -1) + last,
    first + account.slice(1),
    `${account}-${account}`,
  ];
}

function otherAccount(account: string): fc.Arbitrary<string> {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,30}[a-z0-9]$/).map((text) => `${text}-assay`);
  return fc
    .oneof(
      name,
      fc.uuid(),
      name.map((text) => account + text),
    )
    .filter((id) => id !== account);
}

function noMetrics(exchange: Exchange): Mismatch[] {
  const { json } = exchange.response;
  const found = ['data', 'summary'].filter((part) => typeof json === 'object' && json !== null && part in json);
  return found.map((part) => ({ expected: 'no metrics', actual: part, exchange }));
}

/** An empty list is accepted: it is correct for an account that does not exist. */
function noTypes(exchange: Exchange): Mismatch[] {
  const { status, json } = exchange.response;
  const values = fieldsOf(json)?.['values'];
  const empty = status === 200 && Array.isArray(values) && values.length === 0;
  return empty ? [] : statusClass(exchange, '4xx');
}
