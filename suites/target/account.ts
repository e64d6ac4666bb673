/** Reads the account from GET /accounts, whose answer has no documented shape: the identifier is the one metrics accept. */
import { isFields } from '../expect/fields.ts';
import type { Fields } from '../expect/fields.ts';
import type { Target } from './target.ts';
import type { Transport } from './transport.ts';

const MOST_CANDIDATES = 8;
const idKeys = ['id', 'accountId', 'account_id', 'uuid', 'name'];

/** Texts and numbers that may be an account's identifier, the likeliest first. */
export function accountCandidates(json: unknown): string[] {
  const lists = isFields(json) ? Object.values(json).filter(Array.isArray) : [];
  const items: unknown[] = Array.isArray(json) ? json : lists.length > 0 ? (lists.flat() as unknown[]) : [json];
  const found = items
    .filter(isFields)
    .flatMap((item) => [item, item['metadata'], item['account']].filter(isFields).flatMap(idsOf));
  const plain = items.filter((item): item is string => typeof item === 'string');
  return [...new Set([...found, ...plain])].slice(0, MOST_CANDIDATES);
}

function idsOf(item: Fields): string[] {
  const values = idKeys
    .map((key) => item[key])
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  return values.map(String).filter((value) => value !== '');
}

/** undefined where none can be read; throws Trouble where nothing answers. */
export async function readAccount(target: Target, transport: Transport): Promise<string | undefined> {
  const { origin, pathname } = new URL(target.addresses.management ?? '');
  const { admin, apiKey, workspaceAdmin, member } = target.credentials;
  const bearer = (admin ?? apiKey ?? workspaceAdmin ?? member)?.value;
  const headers = {
    Accept: 'application/json',
    ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
  };
  const base = pathname === '/' ? '' : pathname;
  const get = (path: string) => transport.send({ method: 'GET', origin, path: base + path, headers });

  const { status, text } = await get('/accounts');
  if (status !== 200) return undefined;
  for (const candidate of accountCandidates(parsed(text))) {
    const answer = await get(`/accounts/${encodeURIComponent(candidate)}/metrics/enums/group-by`);
    if (answer.status === 200) return candidate;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // no JSON holds no identifier
  }
}
