/** Which callers may filter or group by workspace, in anybody's traffic. */
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { isInvalid, status } from '../expect/status.ts';
import { flawsIn } from '../judge/judgement.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { readMetrics } from '../kit/metrics/request.ts';
import { isRefusedAsInvalid, isValid } from '../kit/metrics/seen-metrics.ts';
import { groupByOf, isPlain } from '../kit/metrics/seen-query.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Mismatch } from '../target/violation.ts';

type Use = (seen: Seen) => boolean;

export const filtersByWorkspace: Use = (seen) => (seen.parameter('workspace') ?? '') !== '';
export const groupsByWorkspace: Use = (seen) => seen.parameter('groupBy')?.split(',').includes('workspace') === true;

const isOf = (seen: Seen, { account }: Facts, caller: CredentialName): boolean =>
  account !== undefined && seen.path['accountId'] === account && seen.caller === caller;

/** The caller lacks the account-admin role. A 401 may mean that its token has ended. */
export const judgeDenied =
  (caller: CredentialName, isUsed: Use, accessDenied: (exchange: Exchange) => Mismatch[]) =>
  (seen: Seen, facts: Facts): Judged => {
    const { exchange } = seen;
    if (!isUsed(seen) || !isOf(seen, facts, caller) || !isPlain(seen, facts)) return undefined;
    if (flawsIn(seen, facts).length > 0) return undefined;
    // A gateway may block a request, without JSON.
    const isDenied = seen.status === 403 && seen.json !== undefined;
    const isUnexplained = isRefusedAsInvalid(seen) && isValid(seen, facts);
    return seen.status === 200 || isDenied || isUnexplained ? accessDenied(exchange) : undefined;
  };

/** Workspaces in the response to a list that some servers read as one with workspace. Names and instances are enriched by it. */
export const judgeAmbiguousGroups =
  (caller: CredentialName) =>
  (seen: Seen, facts: Facts): Judged => {
    const names = seen.query.flatMap(([name, value]) => (name === 'groupBy' ? value.split(',') : []));
    const dimensions = names.map((name) => name.trim().toLowerCase());
    const isEnriched = ['resource_name', 'resource_uuid'].some((name) => dimensions.includes(name));
    const isAmbiguous = dimensions.includes('workspace') && !isPlain(seen, facts);
    if (!isAmbiguous || isEnriched || !isOf(seen, facts, caller) || seen.status !== 200) return undefined;
    const entry = readMetrics(seen.json)?.data.find((each) => 'workspace' in each);
    if (entry === undefined) return [];
    return [{ expected: 'no workspace in any entry', actual: `workspace ${entry.workspace}`, exchange: seen.exchange }];
  };

/** Nothing in the query can be refused to the caller. */
export const judgePermitted =
  (caller: CredentialName, isJudged: Use) =>
  (seen: Seen, facts: Facts): Judged => {
    if (!isJudged(seen) || !isOf(seen, facts, caller)) return undefined;
    if (seen.status === 200) return [];
    const isRefused = seen.status === 403 || isInvalid(seen.exchange);
    return isRefused && seen.json !== undefined && isValid(seen, facts) ? status(seen.exchange, 200) : undefined;
  };

export const usesWorkspace: Use = (seen) => filtersByWorkspace(seen) || groupByOf(seen).includes('workspace');
