/** Reads the account from GET /accounts, whose response shape is undocumented: the identifier is the one that metrics accept. */
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { isMissingStatus } from '../../spec/missing-operation.ts';
import { basePathOf } from '../../spec/network/base-path.ts';
import { isFields } from '../json/fields.ts';
import { exactJsonIn } from '../json/json-in.ts';
import { chooseAccount, type MetricsRequest } from './choose-account.ts';
import type { Secret, Target } from './target.ts';
import { describePastEnd } from './token-end.ts';
import { HarnessError } from './transport.ts';
import type { Transport, WireResponse } from './transport.ts';

/** A suspicious response before a run. */
export interface AccessWarning {
  readonly sentence: string;
  /** The key below `credentials` of a credential that got 401. Absent in other warnings. */
  readonly refusedCredential?: string;
  /** What GET /accounts returned (404, 405 or 501), if it is missing: with 404, the address may be wrong. */
  readonly missingStatus?: number;
  /** Why it is unknown which account is the right one, and what to do: an imperative with a full stop. */
  readonly undecided?: { readonly found: string; readonly advice: string };
  /** There is no list, or it shows no account, which only matters to rules. */
  readonly hasNone?: boolean;
}

/** Accounts of others may come first. */
const MAX_CANDIDATES = 100;
/** No further candidate is tried after this time. */
const MAX_SECONDS = 60;
const idKeys = ['id', 'accountId', 'account_id', 'uuid', 'name'];

type Page = Pick<WireResponse, 'headers' | 'text'>;

/** In the pages of the list, each once. */
export const accountCandidates = (pages: readonly Page[]): string[] => [
  ...new Set(pages.flatMap(({ text }) => candidatesIn(exactJsonIn(text)))),
];

/** Strings and numbers that may be the account's identifier: the likeliest first, then other values, parts of URLs and keys. */
export function candidatesIn(json: unknown): string[] {
  const ids = likelyIds(json).flat();
  const values = stringsIn(json);
  const lastSegments = values.filter((text) => text.includes('/')).map((text) => text.slice(text.lastIndexOf('/') + 1));
  const parts = values.flatMap((text) => text.split(URL_DELIMITERS));
  return [...new Set([...ids, ...values, ...lastSegments, ...parts, ...keysIn(json)])].filter(isPathSegment);
}

/** Of all items of a list: the values of each key that may be that of the identifier, and items that are no objects. */
function likelyIds(json: unknown): string[][] {
  const lists = isFields(json) ? Object.values(json).filter(Array.isArray) : [];
  const items: unknown[] = Array.isArray(json) ? json : lists.length > 0 ? (lists.flat() as unknown[]) : [json];
  const likely = items.filter(isFields).flatMap((item) => [item, item['metadata'], item['account']].filter(isFields));
  return [...idKeys.map((key) => likely.flatMap((item) => textOf(item[key]))), items.flatMap(textOf)];
}

/** The first value of the likeliest key that may be that of the identifier. */
const firstAccount = (pages: readonly Page[]): string | undefined =>
  pages
    .flatMap(({ text }) => likelyIds(exactJsonIn(text)))
    .flat()
    .find(isPathSegment);

/** The identifiers of the accounts of a list, beginning with this one: what has the same key. */
function accountsFrom(id: string, pages: readonly Page[]): string[] {
  const ofPages = pages.map(({ text }) => likelyIds(exactJsonIn(text)));
  const ofKeys = ofPages[0]!.map((_, at) => ofPages.flatMap((ids) => ids[at]!));
  const ids = ofKeys.find((each) => each.includes(id)) ?? [id];
  return [...new Set(ids.slice(ids.indexOf(id)))].filter(isPathSegment).slice(0, MAX_CANDIDATES);
}

/** Whether an item of the list has this identifier: names count only if no item has another one, and others if none has any. */
export function listsAccount(page: Page, account: string): boolean {
  const byKey = likelyIds(exactJsonIn(page.text));
  const identifiers = byKey.filter((_, at) => idKeys[at] !== 'name').flat();
  const sources = [identifiers, byKey.flat(), accountCandidates([page])];
  return sources.find(({ length }) => length > 0)?.includes(account) === true;
}

/** Of URLs, URNs and URL templates. */
const URL_DELIMITERS = /[/?#&=:;,{}]+/;

const LIST_PATH = '/accounts';
const MAX_PAGES = 10;
const NEXT_LINK = /<([^>]*)>[^<]*;\s*rel="?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:[;,]|$)/i;

/** The path below the address of the page that a Link header of a list calls the next one (RFC 8288). Undefined if there is none. */
function nextPath({ headers }: Page, address: string, path: string): string | undefined {
  const [, reference] = NEXT_LINK.exec(headers['link'] ?? '') ?? [];
  const { pathname = '', search = '' } = (reference !== undefined && URL.parse(reference, address + path)) || {};
  const basePath = basePathOf(address); // Its origin may be that of a gateway, or the one behind it.
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) + search : undefined;
}

/** The list of accounts with the further pages that Link headers name. `get`: sends a request to a path below the address. */
export async function accountPages<P extends Page>(
  first: P,
  address: string,
  get: (path: string) => Promise<P>,
): Promise<P[]> {
  const pages = new Map([[LIST_PATH, first]]);
  for (let path = nextPath(first, address, LIST_PATH); path !== undefined && !pages.has(path);) {
    const page = await get(path);
    pages.set(path, page);
    path = pages.size < MAX_PAGES ? nextPath(page, address, path) : undefined;
  }
  return [...pages.values()];
}

/** Whether a page says outside its lists that more follow, or its headers do. */
export function hasNextPage({ headers, text }: Page): boolean {
  const json = exactJsonIn(text);
  const [, inRange] = /\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  const counted = { ...headers, 'total-in-range': inRange };
  return NEXT_LINK.test(headers['link'] ?? '') || [json, counted].some((each) => namesNext(each, itemCount(json)));
}

/** Of its longest list. */
function itemCount(json: unknown): number {
  if (Array.isArray(json)) return json.length;
  return isFields(json) ? Math.max(0, ...Object.values(json).map(itemCount)) : 0;
}

/** What a name says of a page with so many items, beside the lists. */
const signsOfMore: readonly (readonly [name: RegExp, saysMore: (value: unknown, items: number) => boolean])[] = [
  [/rate/i, () => false],
  [/next|more/i, (value) => ![undefined, null, false, '', 0].includes(value as null)],
  [/pages$/i, (value) => Number(value) > 1],
  [/total|count$/i, (value, items) => Number(value) > items],
  [/^(limit|size|page_?size|per_?page)$/i, (value, items) => items > 0 && Number(value) === items],
];

const namesNext = (json: unknown, items: number): boolean =>
  isFields(json) &&
  Object.entries(json).some(([key, value]) => {
    const [, saysMore] = signsOfMore.find(([name]) => name.test(key)) ?? [];
    return isFields(value) || saysMore === undefined ? namesNext(value, items) : saysMore(value, items);
  });

/** Strings and numbers at any depth. */
function stringsIn(json: unknown): string[] {
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(stringsIn) : textOf(json);
}

/** Keys at any depth. */
function keysIn(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(keysIn);
  return isFields(json) ? [...Object.keys(json), ...Object.values(json).flatMap(keysIn)] : [];
}

function textOf(value: unknown): string[] {
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

function isPathSegment(text: string): boolean {
  return !/^\.{0,2}$/.test(text) && text.length <= 200;
}

/** The credential of the target with the most permissions. Undefined if it has none that may read accounts. */
export const strongestAccountCredential = ({ credentials }: Target): CredentialName | undefined =>
  (['admin', 'apiKey', 'workspaceAdmin', 'member'] as const).find((name) => credentials[name] !== undefined);

export type ReadAccount = Pick<Target, 'account' | 'isAccountListed' | 'accountObstacle'>;

const listed = (account: string): ReadAccount => ({ account, isAccountListed: true });

/**
 * Returns the account of the target file, without asking for its metrics, or one read from the target: the first one if metrics
 * return none, with a warning if there are several. None, with a warning, if none is listed, or not all are.
 * Throws HarnessError if the target does not respond to GET /accounts. Calls `warn` for a response with which few rules can be tried.
 */
export async function readAccount(
  target: Target,
  transport: Transport,
  warn: (warning: AccessWarning) => void = () => undefined,
): Promise<ReadAccount> {
  const address = target.addresses.management ?? '';
  const [origin, basePath] = [new URL(address).origin, basePathOf(address)];
  const name = strongestAccountCredential(target);
  const strongest = name && target.credentials[name];
  const get = (path: string, secret = strongest) => {
    const authorization = secret === undefined ? {} : { Authorization: `Bearer ${secret.value}` };
    const headers = { Accept: 'application/json', ...authorization };
    return transport.send({ method: 'GET', origin, path: basePath + path, headers });
  };

  const first = await get(LIST_PATH);
  const { status } = first;
  const warning = accountWarning(status, name, target, origin + basePath);
  if (warning !== undefined) warn(warning);
  if (target.account !== undefined)
    return status === 200 && listsAccount(first, target.account) ? listed(target.account) : { account: target.account };
  function warned(why: Undecided): ReadAccount {
    warn(why);
    return { accountObstacle: why.undecided.found };
  }
  if (status !== 200 && warning === undefined) return warned(noList(status));
  if (status !== 200) return { accountObstacle: `GET /accounts returned ${status}` };
  const pages = await accountPages(first, address, get);
  const candidates = accountCandidates(pages).slice(0, MAX_CANDIDATES);
  const endMs = performance.now() + MAX_SECONDS * 1000;
  const { start: startTime, end: endTime } = target.metrics.window;
  const metrics = `metrics?${new URLSearchParams({ startTime, endTime }).toString()}`;
  const getOf = (account: string, path: string, secret = strongest) =>
    undefinedIfUnusable(get(`/accounts/${encodeURIComponent(account.toWellFormed())}/${path}`, secret));
  const statuses = new Set<MetricsOutcome>();
  /** The first candidate whose metrics are returned, or none if one of several cannot be chosen. Undefined if none are returned. */
  async function chosen(): Promise<ReadAccount | undefined> {
    // The list of dimensions is static and may succeed for any account, so it only counts if the metrics fail for every one.
    for (const metricsPath of [metrics, 'metrics/enums/group-by'])
      for (const candidate of candidates) {
        if (performance.now() > endMs) return undefined;
        const response = await getOf(candidate, metricsPath);
        statuses.add(response?.status ?? UNUSABLE);
        if (response === undefined || response.status === 401) return undefined; // wrong guesses must not lock out the caller
        if (response.status !== 200) continue;
        const accounts = metricsPath === metrics ? accountsFrom(candidate, pages) : [];
        if (accounts.length < 2) return listed(candidate);
        const request: MetricsRequest = (account, secret, query = '') => getOf(account, metrics + query, secret);
        const { account, accepted } = await chooseAccount(accounts, target, request, () => performance.now() > endMs);
        // It was accepted before, even if it breaks now.
        if (account !== undefined || accepted.length === 0) return listed(account ?? candidate);
        return warned(undecidedAmong(accepted));
      }
    return undefined;
  }

  const found = await chosen();
  if (found !== undefined) return found;
  // What metrics return to it says nothing about whether it is the account: they may be missing, or broken.
  const account = firstAccount(pages);
  if (account === undefined || hasNextPage(pages.at(-1)!)) {
    return warned(account === undefined ? noneListed : notAllListed([...statuses]));
  }
  const accounts = accountsFrom(account, pages);
  if (accounts.length > 1) warn(firstAmong(accounts, [...statuses]));
  return listed(account);
}

/** A server that is being built may close the connection, a response may be incomplete or too large, and metrics may have a limit. */
async function undefinedIfUnusable(requested: Promise<WireResponse>): Promise<WireResponse | undefined> {
  try {
    return await requested;
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}

/** What a server that is being built needs before anything else can be tried. */
export const FIRST_OPERATION = 'If the server is being built, answer GET /accounts first.';
/** After 404, 405 or 501 to documented operations of the management API. */
export const CORRECT_ADDRESS = `Correct the management address: it includes its path, such as /v0. ${FIRST_OPERATION}`;

const MAX_NAMED = 5;

const namesOf = (accounts: readonly string[]): string =>
  accounts.slice(0, MAX_NAMED).join(', ') + (accounts.length > MAX_NAMED ? ', …' : '');

type Undecided = AccessWarning & Required<Pick<AccessWarning, 'undecided'>>;

const undecided = (found: string, advice = 'Set account in the target file.'): Undecided => ({
  undecided: { found, advice },
  sentence: `${found}. ${advice}`,
});

const noList = (status: number): Undecided => ({
  ...undecided(`GET /accounts returned ${status}`, 'Let it list the account, or set account in the target file.'),
  hasNone: true,
});

const noneListed: Undecided = {
  ...undecided(
    'GET /accounts returned 200, and no account could be read from it',
    'Let it list one with its id, or set account in the target file.',
  ),
  hasNone: true,
};

const UNUSABLE = 'no usable response';
/** What a request for metrics of an account got. */
type MetricsOutcome = number | typeof UNUSABLE;

const describeOutcomes = (outcomes: readonly MetricsOutcome[]): string =>
  outcomes.map((outcome) => (outcome === UNUSABLE ? outcome : `status ${outcome}`)).join(', ');

/** `outcomes`: of those on the first pages. */
const notAllListed = (outcomes: readonly MetricsOutcome[]): Undecided =>
  undecided(
    `GET /accounts has more pages, and metrics show none of the accounts on the first to be the right one (${describeOutcomes(outcomes)})`,
  );

const undecidedAmong = (accounts: readonly string[]): Undecided =>
  undecided(
    `GET /accounts lists ${namesOf(accounts)}, and in each of them a credential lacks its role (admin, member, workspaceAdmin)`,
  );

const firstAmong = (accounts: readonly string[], outcomes: readonly MetricsOutcome[]): Undecided =>
  undecided(
    `GET /accounts lists ${namesOf(accounts)}, and metrics show none of them to be the right one (${describeOutcomes(outcomes)}): the first is used`,
  );

/** `name`: the key below `credentials` of the one that gets 401. `path`: of the request, as documented. */
export function refusedCredential(name: string, secret: Secret, path = '/accounts'): AccessWarning {
  const [refused, place] = [`GET ${path} returned 401`, placeOf(secret, `credentials.${name}`)];
  const ended = describePastEnd(secret.value);
  return {
    refusedCredential: name,
    sentence:
      ended === undefined
        ? `credentials.${name} is refused: ${refused}. Replace the value of ${place} if it is invalid, or omit the credential. A target may also refuse a valid credential at this request.`
        : `credentials.${name} ${ended} and is refused: ${refused}. Replace the value of ${place}.`,
  };
}

/** Where a user changes a secret: its variable, or the field of the target file. */
export const placeOf = ({ name, isLiteral }: Secret, field: string): string => (isLiteral ? `${field}.value` : name);

/** Undefined if the status of GET /accounts is not suspicious. */
function accountWarning(
  status: number,
  name: CredentialName | undefined,
  { credentials }: Target,
  address: string,
): AccessWarning | undefined {
  if (isMissingStatus(status))
    return {
      missingStatus: status,
      sentence: `GET /accounts returned ${status}: is ${address} the management address? It includes the path, such as /v0. ${FIRST_OPERATION}`,
    };
  if (status !== 401) return undefined;
  const credential = name && credentials[name];
  return name && credential
    ? refusedCredential(name, credential)
    : {
        sentence:
          'GET /accounts returned 401, and there is no credential (admin, apiKey, workspaceAdmin, member): few rules can be tried without one.',
      };
}
