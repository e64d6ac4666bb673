/** Groups failures that have one cause, and finds a response that most of them have in common, so that it is fixed first. */
import { BRAND_FORM, headerNames } from '../spec/brand.ts';
import { createOperationRouter } from '../spec/match-operation.ts';
import { surfaces } from '../spec/openapi-document.ts';
import type { OperationId } from '../spec/operations.ts';
import type { Counterexample, Report, RuleResult, TargetFacts } from '../spec/verdicts.ts';

/** Fewer failures can be read one by one. */
const MIN_FAILURES = 5;
const MIN_SHARE = 0.5;

type Addresses = TargetFacts['addresses'];

const router = createOperationRouter({ strict: false });

/**
 * One sentence. Undefined unless in most failures the header with the brand is refused, or most have a response of the same
 * operation with the same status, 400 or more.
 */
export function commonResponse({ requirements, target }: Report): string | undefined {
  const failed = requirements.filter(({ verdict }) => verdict === 'failed');
  if (failed.length < MIN_FAILURES) return undefined;
  const refused = BRAND_FORM.test(target.brand) ? failed.filter((result) => isBrandRefused(result, target.brand)) : [];
  if (refused.length > failed.length * MIN_SHARE)
    return `In ${refused.length} of ${failed.length} failures, a credential in ${headerNames(target.brand).authorization} is refused: check brand in the target file first, then the credentials.`;
  const byResponse = Map.groupBy(failed, (result) => responseOf(result, target.addresses));
  byResponse.delete(undefined);
  const [most] = [...byResponse].toSorted(([, one], [, other]) => other.length - one.length);
  if (most === undefined || most[1].length <= failed.length * MIN_SHARE) return undefined;
  return `${most[1].length} of ${failed.length} failures have a response of ${most[0]}: fix that first.`;
}

/** Results of which the first one is described in full. The others have the same response, or the same error. */
export interface FailureGroup {
  readonly first: RuleResult;
  readonly others: readonly RuleResult[];
  /** Such as "the response of getAgent with status 500". */
  readonly cause: string;
}

/** In the order of their first results; first those whose cause most have. */
export function groupByCause(
  results: readonly RuleResult[],
  { target }: Pick<Report, 'target'>,
): readonly FailureGroup[] {
  const refused = results.filter(isOwnCredentialRefused);
  const isCommon = refused.length >= MIN_FAILURES && refused.length > results.length * MIN_SHARE;
  const rest = isCommon ? results.filter((result) => !isOwnCredentialRefused(result)) : results;
  const groups = [...Map.groupBy(rest, (result) => causeOf(result, target.addresses))];
  return [...(isCommon ? ([[OWN_REFUSED, refused]] as const) : []), ...groups].map(([cause, [first, ...others]]) => ({
    first: first!,
    others,
    cause,
  }));
}

const OWN_REFUSED = 'status 401 to a credential of the target file, which should be valid: check that first';

/** Whether a request with a credential of the target file, by its placeholder, got 401 and should have been accepted. */
const isOwnCredentialRefused = ({ verdict, counterexample }: RuleResult): boolean =>
  verdict === 'failed' &&
  /^status 401\b/.test(counterexample?.actual ?? '') &&
  counterexample?.expected.startsWith('status 2') === true &&
  Object.entries(counterexample?.request?.headers ?? {}).some(
    ([name, value]) => /authorization$/i.test(name) && /^Bearer \$\w+$/.test(String(value)),
  );

/** Depends on what was sent, and by whom, so that each rule may have found another mistake. */
const INPUT_STATUS = /with status 4(?!05)\d\d$/;

/** Rules that fail with one response of one operation, or for one reason outside of the target, have one cause. */
function causeOf(result: RuleResult, addresses: Addresses): string {
  if (result.verdict === 'error') return `error ${result.reason}`;
  const response = responseOf(result, addresses);
  return response === undefined || INPUT_STATUS.test(response) ? result.id : `the response of ${response}`;
}

/** Whether the request has no other credential, and gets 401 or 403. */
function isBrandRefused({ counterexample }: RuleResult, brand: string): boolean {
  const names = Object.keys(counterexample?.request?.headers ?? {}).filter((name) => /authorization$/i.test(name));
  const isBranded = names.map((name) => name.toLowerCase()).join() === headerNames(brand).authorization.toLowerCase();
  return isBranded && /^status 40[13]\b/.test(counterexample?.actual ?? '');
}

/** Such as "getAgent with status 500". Undefined if the rule has no counterexample with a status of 400 or more. */
function responseOf({ counterexample }: RuleResult, addresses: Addresses): string | undefined {
  if (counterexample?.request === undefined) return undefined;
  const { request, actual } = counterexample;
  const [, status] = /^status ([45]\d\d)\b/.exec(actual) ?? [];
  const id = operationOfRequest(request, addresses);
  return status === undefined || id === undefined ? undefined : `${id} with status ${status}`;
}

/** Undefined if the URL is at no address of the target, or no operation has its method and path. */
function operationOfRequest(
  { method, url }: Pick<NonNullable<Counterexample['request']>, 'method' | 'url'>,
  addresses: Addresses,
): OperationId | undefined {
  for (const surface of surfaces) {
    const address = addresses[surface];
    if (address === undefined || !url.startsWith(`${address}/`)) continue;
    const [path = ''] = url.slice(address.length).split(/[?#]/, 1);
    const found = router.find(surface, method, path)?.value.id;
    if (found !== undefined) return found;
  }
  return undefined;
}
