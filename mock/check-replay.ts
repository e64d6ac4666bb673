/** Whether the option `replay` of startMock has its form, for callers without a type checker. */
import { isObject } from '../spec/json-object.ts';
import { surfaces } from '../spec/openapi-document.ts';

type Matches = (value: unknown) => boolean;

/** The members of an object; those in `optional` may be absent. Others are refused. */
function hasMembers(required: Readonly<Record<string, Matches>>, optional: Readonly<Record<string, Matches>>): Matches {
  const all = new Map(Object.entries({ ...required, ...optional }));
  return (value) =>
    isObject(value) &&
    Object.keys(required).every((name) => value[name] !== undefined) &&
    Object.entries(value).every(([name, each]) => each === undefined || (all.get(name)?.(each) ?? false));
}

const isString: Matches = (value) => typeof value === 'string';
const isBody: Matches = (value) => isString(value) || value instanceof Uint8Array;
/** What Node can send (RFC 9110 5.1 and 5.5). */
const isHeader = ([name, value]: [string, unknown]): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
const isHeaders: Matches = (value) => isObject(value) && Object.entries(value).every(isHeader);
const isAddress: Matches = (value) => isString(value) && /^https?:$/.test(URL.parse(String(value))?.protocol ?? '');

const isResponse = hasMembers(
  { status: (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599 },
  { headers: isHeaders, body: isBody },
);

const isExchange = hasMembers(
  {
    method: (value) => isString(value) && /^[a-z]+$/i.test(String(value)),
    surface: (value) => surfaces.some((each) => each === value),
    path: (value) => isString(value) && String(value).startsWith('/'),
    response: isResponse,
  },
  { sandbox: isString, body: isBody, workspace: isString, caller: isString },
);

export const REPLAY_FORM =
  '{ exchanges, addresses }, each exchange with method, surface, path (with a slash) and response: { status: 200 to 599, headers, body }, bodies as strings or bytes';

export const isReplay = hasMembers(
  { exchanges: (value) => Array.isArray(value) && value.every(isExchange) },
  { addresses: hasMembers({}, Object.fromEntries(surfaces.map((surface) => [surface, isAddress]))) },
);
