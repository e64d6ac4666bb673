/** Refusals of a credential that is accepted before and after: it was valid all the time. */
import { headerNames } from '../../spec/brand.ts';
import { operations } from '../../spec/operations.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen, SeenCaller } from '../judge/seen.ts';
import { callerOf, credentialsOf } from '../kit/auth/seen-callers.ts';
import type { Carrier } from '../kit/auth/seen-callers.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Mismatch } from '../target/violation.ts';

const documented = operations.filter((operation) => operation.documented);
export const managementIds = documented.filter(({ surface }) => surface === 'management').map(({ id }) => id);
/** Without inference, where a workload may respond itself. */
export const acceptingIds = [
  ...managementIds,
  ...documented.filter(({ surface, id }) => surface === 'sandbox' && id !== 'getSandboxRoot').map(({ id }) => id),
  'createJobExecution' as const,
];
/** A success shows that the credential is valid, because these operations require one. */
const closedIds: ReadonlySet<string> = new Set([...managementIds, 'getAgent']);

/** The only header that carries a credential. */
export function carrierOf(seen: Seen, facts: Facts): Carrier | undefined {
  const [carrier, ...others] = credentialsOf(seen, facts).keys();
  return others.length === 0 ? carrier : undefined;
}

export const isFull = (caller: SeenCaller): boolean => caller === 'admin' || caller === 'apiKey';

/** `concerns`: the exchanges that must not be refused with 401 while the credential is valid. */
export function refusedWhileValid(concerns: (seen: Seen, caller: SeenCaller, facts: Facts) => boolean) {
  return (facts: Facts) => {
    /** The refusals since the last success, by caller. */
    const refusals = new Map<string, Mismatch[]>();
    return (seen: Seen): Judged => {
      const caller = callerOf(seen, facts);
      if (caller === 'none' || caller === 'other' || caller === 'expired') return undefined;
      const key = JSON.stringify(caller);
      const found = refusals.get(key);
      const isConcerned = concerns(seen, caller, facts);
      if (isSuccessful(seen.exchange) && (isConcerned || closedIds.has(seen.operation.id))) {
        if (closedIds.has(seen.operation.id)) refusals.set(key, []);
        return closedIds.has(seen.operation.id) && found?.length ? found : isConcerned ? [] : undefined;
      }
      if (seen.status === 401 && isConcerned) found?.push(refusedWith401(seen));
      return undefined;
    };
  };
}

const refusedWith401 = ({ operation, exchange }: Seen): Mismatch => ({
  expected: `a credential accepted at ${operation.id}, as it is before and after`,
  actual: 'status 401',
  exchange,
});

type Outcome = 'accepted' | 'refused';

function outcomeOf({ exchange, status }: Seen): Outcome | undefined {
  if (isSuccessful(exchange)) return 'accepted';
  return status === 401 || status === 403 ? 'refused' : undefined;
}

const MAX_REQUESTS = 200;

/** Requests that differ only in the header of the credential: the brand header must not change whether the caller is accepted. */
export function differentByBrandHeader(facts: Facts) {
  const byStandard = new Map<string, { readonly outcome: Outcome; readonly different: Mismatch[] }>();
  return (seen: Seen): Judged => {
    const [carrier, outcome, caller] = [carrierOf(seen, facts), outcomeOf(seen), callerOf(seen, facts)];
    if (carrier === undefined || outcome === undefined || caller === 'none' || caller === 'other') return undefined;
    const workspace = seen.header(headerNames(facts.brand).workspace) ?? null;
    const key = JSON.stringify([caller, workspace, seen.operation.id, seen.exchange.request.url, seen.sentText]);
    const last = byStandard.get(key);
    if (carrier === 'brand') {
      if (last === undefined || last.outcome === outcome) return last && [];
      const expected = `as with Authorization, before and after: ${last.outcome}`;
      last.different.push({ expected, actual: `status ${seen.status}`, exchange: seen.exchange });
      return undefined;
    }
    byStandard.delete(key);
    byStandard.set(key, { outcome, different: [] });
    for (const oldest of byStandard.keys()) if (byStandard.size > MAX_REQUESTS) byStandard.delete(oldest);
    return last?.outcome === outcome && last.different.length > 0 ? last.different : undefined;
  };
}
