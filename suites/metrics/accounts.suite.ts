/** metrics.accounts.*: a caller reads the metrics of its own account only. */
import { neededAccount } from '../target/needed-account.ts';
import * as fc from 'fast-check';
import { credentialNames } from '../../spec/formats/target-values.ts';
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { fieldsOf } from '../json/fields.ts';
import { isSoonAfter } from '../kit/resources/seen-resource.ts';
import type { Mismatch } from '../target/violation.ts';
import { statusClass } from '../expect/status.ts';
import { byBrandHeader } from '../kit/provision/caller-variants.ts';
import { strongestCredentialName } from '../engine/callers.ts';
import type { Client, Exchange } from '../target/client.ts';
import { metricsIn } from '../kit/metrics/metrics-in.ts';
import { needAccepted } from '../kit/metrics/causes.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { secondPageVariants } from '../kit/metrics/request-variants.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { everyPair } from './every-pair.ts';
import { sharedValue } from '../engine/shared-values.ts';

const accountsOfRun = sharedValue<ReadonlySet<string>>();

judgesInOrder(
  'metrics.accounts.foreign-refused',
  ['listAccounts', 'getAccountMetrics', 'listMetricsResourceTypes'],
  ({ account }) => {
    const lists = new Map<string, { readonly seen: Seen; readonly ids: ReadonlySet<string> }>();
    return (seen) => {
      const { status: code, caller, exchange } = seen;
      if (account === undefined || caller === 'none' || caller === 'other') return undefined;
      const name = JSON.stringify(caller);
      if (seen.operation.id === 'listAccounts') {
        if (code === 200 && !mayBePart(seen))
          lists.set(name, { seen, ids: new Set(valuesIn(seen.json).map(normalizedId)) });
        return undefined;
      }
      const requested = normalizedId(seen.path['accountId'] ?? '');
      // Without the caller's own account, the list may have another form.
      const isListed = [...lists.values()].some(({ ids }) => ids.has(requested));
      const own = lists.get(name);
      if (own?.ids.has(normalizedId(account)) !== true || isListed || code < 200 || code > 499) return undefined;
      // The caller may have got another account since then.
      if (!isSoonAfter(own.seen, seen)) return undefined;
      if (code >= 300 && code <= 399) return undefined;
      const isOfTypes = seen.operation.id === 'listMetricsResourceTypes';
      void seen.json; // Throws if the body is not known.
      return isOfTypes ? noTypes(exchange) : [...statusClass(exchange, '4xx'), ...noMetrics(exchange)];
    };
  },
);

/** Whether the list may have further pages, or be filtered. Its parameters and its form are not documented. */
const mayBePart = ({ query, json }: Seen): boolean =>
  query.length > 0 || Object.keys(fieldsOf(json) ?? {}).some((name) => /cursor|next|more|page/i.test(name));

/** Equal for two spellings that a server may take for the same account. */
const normalizedId = (id: string): string =>
  id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=\d)/, '');

conforms('metrics.accounts.foreign-refused', async (run) => {
  const account = neededAccount(run.target);
  const window = pastWindow(run);
  await needAccepted(run, { ...window });
  const others = ['resource_type', 'resource_name,billing_dimension'].map((groupBy) => ({ groupBy }));
  const strongest = run.need(strongestCredentialName(run.target), 'a credential that is not of a single scope');
  const callers = credentialNames.filter((name) => name !== 'expired' && run.target.credentials[name] !== undefined);
  const own = await ownAccounts(run, callers);
  const foreign = nearMisses(account).filter((accountId) => !own.has(accountId));
  const examples = everyPair(foreign, callers).map(([accountId, caller]) => ({ accountId, caller, rest: {} }));
  await run.forAll(
    {
      accountId: otherAccount(account).filter((accountId) => !own.has(accountId)),
      caller: fc.constantFrom(...callers),
      rest: fc.constantFrom({}, ...others, { resourceType: 'sandbox' }),
    },
    async ({ accountId, caller, rest }) => {
      const client = run.as(caller);
      const metrics = await foreignMismatches(client, accountId, { ...window, ...rest });
      const types = await client.call('listMetricsResourceTypes', { path: { accountId }, query: { ...window } });
      return [...metrics, ...noTypes(types)];
    },
    {
      examples,
      classOf: ({ accountId, caller }) => (caller === strongest ? accountId : caller),
    },
  );
  // With a cursor of the caller's own account.
  const secondPages = await secondPageVariants(run, window);
  await run.forEach(
    everyPair(foreign.slice(0, 2), secondPages).map(([accountId, { parameters }]) => ({ accountId, parameters })),
    ({ accountId, parameters }) => foreignMismatches(run.as(strongest), accountId, parameters),
  );
  await run.forEach(
    everyPair(callers, foreign.slice(0, 2)).map(([caller, accountId]) => ({ accountId, caller, header: 'brand' })),
    ({ accountId, caller }) => foreignMismatches(brandClient(run, caller), accountId, { ...window }),
  );
});

function brandClient(run: Run, caller: CredentialName): Client {
  const { value } = run.need(run.target.credentials[caller], `the credential ${caller}`);
  return byBrandHeader(run, run.as(caller), value);
}

async function foreignMismatches(client: Client, accountId: string, query: MetricsQuery): Promise<Mismatch[]> {
  const exchange = await client.call('getAccountMetrics', { path: { accountId }, query: { ...query } });
  return [...statusClass(exchange, '4xx'), ...noMetrics(exchange)];
}

/** Every identifier in the account lists of these callers: a caller may have several accounts with similar ids. */
const ownAccounts = (run: Run, callers: readonly CredentialName[]): Promise<ReadonlySet<string>> =>
  accountsOfRun.get(run, async () => {
    const lists = await Promise.all(callers.map((caller) => run.as(caller).call('listAccounts')));
    return new Set(lists.flatMap(({ response }) => valuesIn(response.json)));
  });

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

const noMetrics = (exchange: Exchange): Mismatch[] =>
  metricsIn(exchange.response.json).map((part) => ({ expected: 'no metrics', actual: part, exchange }));

/** An empty list is accepted: it is correct for an account that does not exist. */
function noTypes(exchange: Exchange): Mismatch[] {
  const { status, json } = exchange.response;
  const values = fieldsOf(json)?.['values'];
  const empty = status === 200 && Array.isArray(values) && values.length === 0;
  return empty ? [] : statusClass(exchange, '4xx');
}
