/** How results name an operation that the target does not have, and for which a rule waits. */
import type { Operation } from './table-types.ts';

const PREFIX = 'operation:';

/** Such as `POST /vpcs`. */
export const routeOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`;

/** `missing` of a result in report.json. */
export const missingOperation = (route: string): string => PREFIX + route;

/** The route that `missing` of a result names. Undefined if it names something else. */
export const routeOfMissing = (missing: string | undefined): string | undefined =>
  missing?.startsWith(PREFIX) === true ? missing.slice(PREFIX.length) : undefined;

/** The reason of a rule that cannot be judged without operations that the target does not have, as its user declared. */
export const NOT_DECLARED = 'needs other operations than those of --operation or the target file';

/** `missing` of a rule of which only an operation shows a violation that is not selected. */
export const OTHER_OPERATIONS = 'operations';

/** The reason of such a rule. */
export const brokenByOther = (route: string, status: number): string =>
  `a selection with ${route}, which breaks the rule (it returned ${status}): select it, too, with --operation or in the target file`;

/** The reason of a rule that waits for an operation. `finding`: such as "is not implemented (404)". */
export const waitingReason = (route: string, finding: string): string => `waits for ${route}, which ${finding}`;

/** The finding in such a reason. */
export const findingIn = (reason: string): string => reason.replace(/^waits for .*?, which /, '');

/** Whether a valid request gets this status if its operation does not exist. */
export const isMissingStatus = (status: number): boolean => [404, 405, 501].includes(status);

/** A response, and the URL of its request; a path suffices if the URL is unknown. */
interface Response {
  readonly status: number;
  readonly text: string;
  readonly url: string;
}

/** Whether two responses differ at most in what they repeat of the request, in times, and in ids. */
export const sameApartFromRequest = (one: Response, other: Response): boolean =>
  one.status === other.status && withoutRequest(one) === withoutRequest(other);

function withoutRequest({ text, url }: Response): string {
  const target = url.replace(/^https?:\/\/[^/]*/, '');
  const [path = ''] = target.split('?', 1);
  // Some routers name the path without its first slash.
  const others = [url, target, path, ...(path.length > 1 ? [path.slice(1)] : [])].reduce(
    (rest, each) => rest.replaceAll(each, ''),
    withoutIds(text),
  );
  return [TIME, UUID, LONG_NUMBER].reduce((rest, each) => rest.replaceAll(each, ''), others);
}

/** JSON without members that are named like ids, times and paths; other text as it is. */
function withoutIds(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, (name, value: unknown) => (VARYING.test(name) ? undefined : value)));
  } catch {
    return text;
  }
}

const VARYING = /(?:id|time|timestamp|date|path|ur[il]|trace|instance)$/i;
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Longer than codes of errors. */
const LONG_NUMBER = /\d[\d.]{5,}/g;
