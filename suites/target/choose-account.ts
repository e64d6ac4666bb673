/** Chooses one of several accounts: the roles of the credentials in a target file are those in one account. */
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { fieldsOf } from '../json/fields.ts';
import { exactJsonIn } from '../json/json-in.ts';
import type { Secret, Target } from './target.ts';
import type { WireResponse } from './transport.ts';

/** Credentials that may read the metrics of their account, and whether they have the account-admin role. */
export const accountRoles = [
  { name: 'admin', isAccountAdmin: true },
  { name: 'member', isAccountAdmin: false },
  { name: 'workspaceAdmin', isAccountAdmin: false },
] as const satisfies readonly { name: CredentialName; isAccountAdmin: boolean }[];

/**
 * Requests the metrics of an account in the past window: `query` begins with `&`, `secret` defaults to the strongest credential.
 * Undefined without a usable response.
 */
export type MetricsRequest = (account: string, secret?: Secret, query?: string) => Promise<WireResponse | undefined>;

export interface Choice {
  /** Undefined if metrics accept none, or if a credential lacks its role in each of several accounts. */
  readonly account: string | undefined;
  /** Those that metrics accept, as far as they were tried. */
  readonly accepted: readonly string[];
}

/** Each takes a few requests. */
const MAX_ACCEPTED = 20;

/** Of several accounts that metrics accept, the first one that fits best. The only one need not fit. */
export async function chooseAccount(
  accounts: readonly string[],
  { credentials }: Pick<Target, 'credentials'>,
  request: MetricsRequest,
  isOver: () => boolean,
): Promise<Choice> {
  const accepted: string[] = [];
  let best: { account: string; fit: number } | undefined;
  for (const account of accounts) {
    if (isOver() || accepted.length === MAX_ACCEPTED) break;
    const metrics = await request(account);
    if (metrics === undefined || metrics.status === 401) break; // wrong guesses must not lock out the caller
    if (metrics.status !== 200) continue;
    accepted.push(account);
    const fit = await fitOf(account, credentials, request);
    if (fit === undefined) continue;
    const total = fit + (hasCost(metrics) ? 1 : 0);
    if (total > (best?.fit ?? -1)) best = { account, fit: total };
    if (total === ROLES_FIT + 1) break;
  }
  const [only, ...others] = accepted;
  return { account: others.length === 0 ? only : best?.account, accepted };
}

/** More than cost. */
const ROLES_FIT = 2;

/**
 * ROLES_FIT if the credentials have exactly their roles, 0 if others have the role of an account admin as well. Undefined if one
 * lacks its role: it is not allowed what the role allows. Any other response is left to the rules.
 */
async function fitOf(
  account: string,
  credentials: Target['credentials'],
  request: MetricsRequest,
): Promise<number | undefined> {
  let fit = ROLES_FIT;
  for (const { name, isAccountAdmin } of accountRoles) {
    const secret = credentials[name];
    if (secret === undefined) continue;
    const grouped = await request(account, secret, '&groupBy=workspace');
    if (!isAccountAdmin && grouped?.status === 200) fit = 0;
    if (isNotAllowed(grouped) && (isAccountAdmin || isNotAllowed(await request(account, secret)))) return undefined;
  }
  return fit;
}

const isNotAllowed = (response: WireResponse | undefined): boolean =>
  response?.status === 403 || response?.status === 404;

const hasCost = ({ text }: WireResponse): boolean =>
  Number(fieldsOf(fieldsOf(exactJsonIn(text))?.['summary'])?.['totalCost'] ?? 0) !== 0;
