/** What is for account admins, as texts of a query: spelled as nobody has to spell it, and as not everybody reads it. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import type { Client, Exchange } from '../target/client.ts';
import { answerOf } from '../kit/metrics/ask.ts';
import { everyByte } from './every-byte.ts';
import { shown } from './every-entry.ts';
import { cost, same } from './figures.ts';
import { anyDays } from './metered-days.ts';

export interface Spellings {
  /** To whoever reads a query no others than the usual spelling (RFC 3986 6.2.2.2). */
  readonly plain: readonly string[];
  /** Each may be invalid, or mean something else. */
  readonly odd: readonly string[];
  /** What an answer to an odd one tells that is for account admins; `usual`: the one to the question without it. */
  readonly told: (exchange: Exchange, usual: Exchange) => Mismatch[];
}

export const groupedByWorkspace: Spellings = {
  plain: [
    `${everyByte('groupBy')}=${everyByte('workspace')}`,
    `groupBy=resource_type,${everyByte('workspace')}`,
    'groupBy=resource_type,workspace',
    'groupBy=workspace,resource_type,billing_dimension',
  ],
  odd: [
    'groupBy=resource_type,%20workspace',
    'groupBy=%20workspace',
    'groupBy=workspace,',
    'groupBy=resource_type,,workspace',
    'groupBy=WORKSPACE',
    'groupBy=resource_type&groupBy=workspace',
    'groupBy=workspace&groupBy=resource_type',
    'groupBy=&groupBy=workspace',
  ],
  told: (exchange) => {
    const told = answerOf(exchange).data.find((entry) => 'workspace' in entry);
    if (told === undefined) return [];
    return [{ expected: 'no workspace in any entry', actual: `workspace ${shown(told.workspace)}`, exchange }];
  },
};

export function filteredBy(workspace: string): Spellings {
  const value = encodeURIComponent(workspace);
  return {
    plain: [`${everyByte('workspace')}=${everyByte(workspace)}`, `${everyByte('workspace')}=${value}`],
    odd: [
      `workspace=&workspace=${value}`,
      `workspace=${value}&workspace=`,
      `workspace=${value}&workspace=${value}`,
      `Workspace=${value}`,
    ],
    told: (exchange, usual) => {
      if (usual.answer.status !== 200) return [];
      const [all, told] = [usual, exchange].map((each) => answerOf(each).summary.totalCost) as [number, number];
      const expected = `totalCost ${all}, as of all workspaces, or 0`;
      return told === 0 || same(cost(told), cost(all)) ? [] : [{ expected, actual: `${told}`, exchange }];
    },
  };
}

/** Asks each for some past days. */
export async function trySpellings(
  run: Run,
  client: Client,
  { plain, odd, told }: Spellings,
  denied: (exchange: Exchange) => readonly Mismatch[],
): Promise<void> {
  const ask = await asker(run, client);
  const usual = await ask();
  for (const text of plain) run.check(denied(await ask(text)));
  for (const text of odd) {
    const exchange = await ask(text);
    if (!isRefused(exchange)) run.check(status(exchange, 200), told(exchange, usual));
  }
}

/** Adds to the path, as it is, what is to be asked beside the window. */
async function asker(run: Run, client: Client): Promise<(text?: string) => Promise<Exchange>> {
  const account = encodeURIComponent(run.need(run.target.account, 'the account of the target'));
  const days = new URLSearchParams({ ...(await anyDays(run, 2)), resolution: 'daily' });
  const path = `/accounts/${account}/metrics?${days.toString()}`;
  return (text = '') =>
    client.send({ surface: 'management', method: 'GET', path: text === '' ? path : `${path}&${text}` });
}
