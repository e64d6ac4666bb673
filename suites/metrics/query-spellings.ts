/** Query strings that need an account admin, in equivalent and in ambiguous spellings. */
import { neededAccount } from '../target/needed-account.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import type { Client, Exchange } from '../target/client.ts';
import { parseMetrics, requestMetrics } from '../kit/metrics/request.ts';
import { percentEncodeAll } from './percent-encode-all.ts';
import { formatValue } from './entry-mismatches.ts';
import { cost, same } from './figures.ts';
import { anyDays } from './metered-days.ts';

export interface Spellings {
  /** Equivalent to the usual spelling (RFC 3986 6.2.2.2). */
  readonly equivalent: readonly string[];
  /** May be invalid or mean something else. */
  readonly ambiguous: readonly string[];
  /** Data for account admins in the response to an ambiguous spelling. `usual`: the response without it. */
  readonly adminDataMismatches: (exchange: Exchange, usual: Exchange) => Mismatch[];
}

export const groupedByWorkspace: Spellings = {
  equivalent: [
    `${percentEncodeAll('groupBy')}=${percentEncodeAll('workspace')}`,
    `groupBy=resource_type,${percentEncodeAll('workspace')}`,
    'groupBy=resource_type,workspace',
    'groupBy=workspace,resource_type,billing_dimension',
  ],
  ambiguous: [
    'groupBy=resource_type,%20workspace',
    'groupBy=%20workspace',
    'groupBy=workspace,',
    'groupBy=resource_type,,workspace',
    'groupBy=WORKSPACE',
    'groupBy=resource_type&groupBy=workspace',
    'groupBy=workspace&groupBy=resource_type',
    'groupBy=&groupBy=workspace',
  ],
  adminDataMismatches: (exchange) => {
    const adminDataMismatches = parseMetrics(exchange).data.find((entry) => 'workspace' in entry);
    if (adminDataMismatches === undefined) return [];
    return [
      {
        expected: 'no workspace in any entry',
        actual: `workspace ${formatValue(adminDataMismatches.workspace)}`,
        exchange,
      },
    ];
  },
};

export function filteredBy(workspace: string): Spellings {
  const value = encodeURIComponent(workspace);
  return {
    equivalent: [
      `${percentEncodeAll('workspace')}=${percentEncodeAll(workspace)}`,
      `${percentEncodeAll('workspace')}=${value}`,
    ],
    ambiguous: [
      `workspace=&workspace=${value}`,
      `workspace=${value}&workspace=`,
      `workspace=${value}&workspace=${value}`,
      `Workspace=${value}`,
    ],
    adminDataMismatches: (exchange, usual) => {
      if (usual.response.status !== 200) return [];
      const [all, adminDataMismatches] = [usual, exchange].map((each) => parseMetrics(each).summary.totalCost) as [
        number,
        number,
      ];
      const expected = `totalCost ${all}, as of all workspaces, or 0`;
      return adminDataMismatches === 0 || same(cost(adminDataMismatches), cost(all))
        ? []
        : [{ expected, actual: `${adminDataMismatches}`, exchange }];
    },
  };
}

/** Checks the spellings of the current round for some past days. */
export async function checkSpellings(
  run: Run,
  client: Client,
  { equivalent, ambiguous, adminDataMismatches }: Spellings,
  deniedMismatches: (exchange: Exchange) => readonly Mismatch[],
): Promise<void> {
  const account = encodeURIComponent(neededAccount(run.target));
  const days = { ...(await anyDays(run, 2)), resolution: 'daily' };
  const path = `/accounts/${account}/metrics?${new URLSearchParams(days).toString()}`;
  // The text follows the window verbatim.
  const request = (text: string) => client.send({ surface: 'management', method: 'GET', path: `${path}&${text}` });
  await run.forEach(equivalent, async (text) => deniedMismatches(await request(text)));
  await run.forEach(ambiguous, async (text) => {
    const exchange = await request(text);
    if (isRefused(exchange)) return [];
    return [...status(exchange, 200), ...adminDataMismatches(exchange, await requestMetrics(client, days))];
  });
}
