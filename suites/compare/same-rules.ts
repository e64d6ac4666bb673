/** What may differ between two conforming targets, and why: a pair of values that a rule covers counts as the same. */
import { parseInstant } from '../../spec/rfc3339.ts';
import { statuses } from '../../spec/values.ts';
import { parseLenientInstant } from '../expect/instant.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import { candidatesIn } from '../target/account.ts';
import { isRunName } from '../engine/run-prefix.ts';
import { RUN_LABEL } from '../target/run-label.ts';

export interface SameRule {
  readonly id: string;
  readonly reason: string;
  /** Matches the operation, the status and the place, such as `getAgent 200 body.metadata.createdAt`; `[]` is any element of a list. */
  readonly at: RegExp;
  /** Whether it is about metered usage: it does not apply if both targets have the same usage. */
  readonly isOfUsage?: true;
  /** Whether it is about the data of a target: it does not apply to two versions of one target. */
  readonly isOfData?: true;
  /** Whether the rule makes the two the same. */
  readonly same?: (a: unknown, b: unknown) => boolean;
  /** In place of `same`: the part of a value that is compared. Undefined: the rule does not cover the value. */
  readonly part?: (value: unknown, side: SideFacts) => unknown;
}

/** What rules know about the target of a value. */
export interface SideFacts {
  /** The prefix of the names that the run creates there. */
  readonly prefix: string;
  /** Of the target, if it is known. */
  readonly account?: string | undefined;
  /** Of its client, for the authorization code grant. */
  readonly redirectUri?: string | undefined;
  /** Whether the other side is another version of the same target. Defaults to false. */
  readonly comparesVersions?: boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const both =
  (holds: (value: unknown) => boolean) =>
  (a: unknown, b: unknown): boolean =>
    holds(a) && holds(b);
const sameType = (a: unknown, b: unknown): boolean => typeOf(a) === typeOf(b);
const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
const isUrl = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The first one that covers a pair decides. */
export const sameRules: readonly SameRule[] = [
  {
    id: 'optional header',
    reason: 'Only a 401 needs a challenge (RFC 9110 section 11.6.1).',
    at: / (?!401)\d+ header www-authenticate$/,
    same: () => true,
  },
  {
    id: 'media type parameters',
    reason: 'A media type may carry parameters such as charset (RFC 9110 section 8.3.1).',
    at: / header content-type$/,
    part: (value) =>
      String(value)
        .split(';', 1)[0]!
        .trim()
        .toLowerCase()
        .replace(/^application\/(?:problem|[\w.]+)\+json$/, 'application/json'),
  },
  {
    id: 'challenge',
    reason: 'The parameters of a challenge are the choice of the server (RFC 9110 section 11.6.1).',
    at: / 401 header www-authenticate$/,
    part: (value) => String(value).split(' ', 1)[0]!.toLowerCase(),
  },
  {
    id: 'session id',
    reason: 'The server chooses the id of a session (MCP 2025-11-25, Session Management).',
    at: / header mcp-session-id$/,
    same: both(isText),
  },
  {
    id: 'redirection',
    reason:
      'Codes are generated, a redirection may have further parameters, and login pages are the choice of the server.',
    at: /^authorize \d+ header location$/,
    part: redirectionOf,
  },
  {
    id: 'location',
    reason: 'Where a server redirects clients or says that something is, is not documented.',
    at: /^(?!authorize )\w+ \d+ header location$/,
    same: () => true,
  },
  {
    id: 'own list',
    reason: 'What the run did not create in a list is the data of the target.',
    at: /^list(?!Metrics|Accounts|Multipart)\w* 2\d\d body$/,
    part: ownItems,
  },
  {
    id: 'own account',
    isOfData: true,
    reason:
      'Accounts are the data of the target, and their list is not documented; it names the account of the target.',
    at: /^listAccounts 2\d\d body$/,
    part: (value, { account }) => ({ hasAccount: account === undefined || candidatesIn(value).includes(account) }),
  },
  {
    id: 'own resource types',
    isOfUsage: true,
    reason: 'The types that were metered are the data of the target.',
    at: /^listMetricsResourceTypes 2\d\d body\.values$/,
    same: both((value) => Array.isArray(value) && value.every(isText)),
  },
  {
    id: 'own groups',
    isOfUsage: true,
    reason: 'Metered groups are the data of the target, so only their fields are compared, by the first one.',
    at: /^getAccountMetrics 2\d\d body\.data$/,
    part: (value) => (Array.isArray(value) ? value.slice(0, 1) : undefined),
  },
  {
    id: 'no groups',
    isOfUsage: true,
    reason: 'A target without usage in the window may have no groups.',
    at: /^getAccountMetrics 2\d\d body\.data$/,
    same: (a, b) => Array.isArray(a) && Array.isArray(b) && (a.length === 0 || b.length === 0),
  },
  {
    id: 'figure',
    isOfUsage: true,
    reason: 'Metered usage and its cost are the data of the target.',
    at: /^getAccountMetrics 2\d\d body\.(?:summary|data\[\]\.(?:summary|timeseries\[\]))\.(?:totalCost|totalUsage|cost|usage)$/,
    same: both((value) => typeof value === 'number' && value >= 0),
  },
  {
    id: 'rounded figure',
    reason: 'Figures may be rounded, and meters read at slightly different moments.',
    at: /^getAccountMetrics 2\d\d body\..*\.(?:totalCost|totalUsage|cost|usage)$/,
    same: (a, b) => typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= 0.001 * Math.max(a, b),
  },
  {
    id: 'name of a group',
    isOfUsage: true,
    reason: 'The names of metered resources are the data of the target.',
    at: /^getAccountMetrics 2\d\d body\.data\[\]\.(?:workspace|resource\w+|billingDimension)$/,
    same: both((value) => typeof value === 'string'),
  },
  {
    id: 'pages',
    isOfUsage: true,
    reason: 'How many pages there are depends on the data of the target, and a cursor is opaque.',
    at: /^getAccountMetrics 2\d\d body\.meta\.(?:hasMore|nextCursor)$/,
    same: sameType,
  },
  {
    id: 'buckets',
    reason:
      'Where buckets of a window begin is the choice of the target, so only their fields are compared, by the first one.',
    isOfUsage: true,
    at: /^getAccountMetrics 2\d\d body\.data\[\]\.timeseries$/,
    part: (value) => (Array.isArray(value) ? value.slice(0, 1) : undefined),
  },
  {
    id: 'bucket start',
    reason: 'Where buckets of a window begin is the choice of the target.',
    isOfUsage: true,
    at: /^getAccountMetrics 2\d\d body\.data\[\]\.timeseries\[\]\.timestamp$/,
    same: both((value) => typeof value === 'string' && parseInstant(value) !== undefined),
  },
  {
    id: 'own images',
    reason: 'How many images nothing uses depends on the target, and on when its deployments end.',
    at: /^deleteUnusedImages 2\d\d body\.deleted$/,
    same: both((value) => Number.isInteger(value) && Number(value) >= 0),
  },
  {
    id: 'own uploads',
    reason: 'Uploads that others have begun are the data of the target.',
    at: /^listMultipartUploads 2\d\d body\.uploads$/,
    same: both(Array.isArray),
  },
  {
    id: 'instant',
    reason: 'RFC 3339 writes one instant in several ways.',
    at: /^getAccountMetrics 2\d\d body\.(?:startTime|endTime|data\[\]\.timeseries\[\]\.timestamp)$/,
    part: (value) => (typeof value === 'string' ? parseInstant(value) : undefined),
  },
  {
    id: 'time',
    reason: 'The two targets have different clocks, and handle requests at different times.',
    at: /\.(?:createdAt|updatedAt|time|lastModified|initiatedAt|lastVersionUploadedAt|\w*(?:At|Time))$/,
    same: both((value) => parseLenientInstant(value) !== undefined),
  },
  {
    id: 'deployment status',
    reason: 'Deployments take as long as they take, and their transitions are not documented.',
    at: /^(?!listMetrics)\w+ \d+ body\.(?:items\[\]\.)?status$/,
    same: both((value) => (statuses as readonly unknown[]).includes(value)),
  },
  {
    id: 'events',
    reason: 'Which events deployments produce, and when, is not documented.',
    at: / body\.(?:items\[\]\.)?events$/,
    same: both((value) => isEmpty(value) || (Array.isArray(value) && value.every(isFields))),
  },
  {
    id: 'generated id',
    reason: 'The server generates it.',
    at: /\.(?:id|uuid|\w*(?:Id|Uuid|ID)|revision|active|canary|etag|kid|jti)$/,
    same: both((value) => isText(value) || typeof value === 'number'),
  },
  {
    id: 'generated secret',
    reason: 'The server generates tokens and secrets.',
    at: /\.(?:\w*[tT]oken|\w*[sS]ecret|code|n|x|y|e)$/,
    same: both(isText),
  },
  {
    id: 'lifetime',
    reason: 'How long a token is valid is the choice of the server (RFC 6749 section 5.1).',
    at: /^\w+ \d+ body\.(?:\w*expires_in|\w*_at)$/,
    same: both((value) => typeof value === 'number'),
  },
  {
    id: 'token type',
    reason: 'The type of a token is case-insensitive (RFC 6749 section 5.1).',
    at: /^requestToken 2\d\d body\.token_type$/,
    part: (value) => (typeof value === 'string' ? value.toLowerCase() : undefined),
  },
  {
    id: 'filled in by the server',
    reason: 'The server populates it: who did it, the plan of the account, the image, the address of the resource.',
    at: /\.(?:createdBy|updatedBy|plan|image|owner|group|permissions|bucket)$/,
    same: both((value) => isText(value) || typeof value === 'number'),
  },
  {
    id: 'generated address',
    reason: 'The server generates addresses.',
    at: /\.(?:url|\w*_(?:endpoint|uri|url)|\w*Url|issuer|resource)$/,
    same: both(isUrl),
  },
  {
    id: 'refusal of a workload',
    reason: 'What agents, models, jobs and tools respond is their own, also if they refuse.',
    at: /^(?:query|createChat|(?:create|get|list)\w*Execution|(?:get|post)\w*Mcp)\w* [45]\d\d (?:body|header content-type)$/,
    same: () => true,
  },
  {
    id: 'code of an error',
    reason: 'The code repeats the status; the errors of versions and sandboxes are documented without it.',
    at: / [45]\d\d body\.code$/,
    same: (a, b) => [a, b].includes(undefined) && [a, b].some((each) => typeof each === 'number'),
  },
  {
    id: 'description',
    reason: 'A description of an error is optional (RFC 6749 section 5.2), and may be empty.',
    at: / [45]\d\d body\.(?:error_description|message)$/,
    same: (a, b) => [a, b].every((each) => each === undefined || typeof each === 'string') && !isQuoted(a, b),
  },
  {
    id: 'place in the sandbox',
    reason: 'Where the files of a sandbox are is its own, and so is a slash after the name of a directory.',
    at: /Tree \d+ body\.(?:.*\.)?path$/,
    part: (value, { prefix }) =>
      typeof value === 'string' && value.includes(prefix)
        ? value.slice(value.indexOf(prefix) + prefix.length).replace(/\/+$/, '')
        : undefined,
  },
  {
    id: 'wording',
    reason: 'Messages are for people, except those that the document quotes.',
    at: /(?: [45]\d\d body(?:\.(?:.*\.)?(?:detail|title|type|hint))?|\.(?:\w*[mM]essage|error|error_description))$/,
    same: (a, b) => isText(a) && isText(b) && !isQuoted(a, b),
  },
  {
    id: 'answer of a workload',
    reason: 'What agents, models, jobs and tools respond is their own.',
    at: /^(?:queryAgent|queryAgentTrigger|queryModel|createChatCompletion\w*|(?:create|get)\w*Execution\w*|get\w*Mcp|post\w*Mcp) 2\d\d body\.(?!jsonrpc|error|code).+/,
    same: sameType,
  },
  {
    id: 'provider',
    isOfData: true,
    reason: 'What an integration offers is not documented.',
    at: /^getIntegration 2\d\d body\.(?:additionalInfos|endpoints|headers|params|organizations|repositories)/,
    same: sameType,
  },
  {
    id: 'run label',
    reason: 'A run marks the agents that it changes and did not create.',
    at: new RegExp(String.raw`\.labels(?:\.${RUN_LABEL})?$`),
    part: (value) =>
      isFields(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== RUN_LABEL)) : undefined,
  },
  {
    id: 'absent and empty',
    reason: 'Null and empty values may stand for an absent field.',
    at: /./,
    same: both(isEmpty),
  },
];

const isQuoted = (a: unknown, b: unknown): boolean => quoted.some((each) => each === a || each === b);

/** Texts of the document. */
const quoted: readonly string[] = ['Access denied', 'invalid_api_version'];

/** Of a redirection to the client: its error and state, and whether there is a code (RFC 6749 section 4.1.2). */
function redirectionOf(value: unknown, { redirectUri }: SideFacts): object {
  if (typeof value !== 'string' || redirectUri === undefined || !value.startsWith(redirectUri))
    return { isToClient: false };
  const { searchParams } = new URL(value);
  const [state, error] = ['state', 'error'].map((name) => searchParams.getAll(name));
  return { isToClient: true, state, error, hasCode: searchParams.has('code') };
}

/** The items of a list that the run created, however the list is wrapped, by name. Of one target also those of no run. */
function ownItems(value: unknown, { prefix, comparesVersions = false }: SideFacts): unknown {
  const list = Array.isArray(value) ? value : Object.values(fieldsOf(value) ?? {}).find(Array.isArray);
  if (list === undefined) return undefined;
  const named = (list as unknown[]).map((item): [string, unknown] => [nameOf(item), item]);
  const isOther = (name: string): boolean => comparesVersions && name !== '' && !isRunName(name);
  const own = named.filter(([name]) => name.startsWith(prefix) || isOther(name));
  return { items: own.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item) };
}

function nameOf(item: unknown): string {
  const fields = fieldsOf(item);
  const name = fieldsOf(fields?.['metadata'])?.['name'] ?? fields?.['name'];
  return typeof name === 'string' ? name : '';
}
