/** Estimates what a run sends to a target, and how long it takes, from what was measured against the mock. */
import { requirements } from '../../spec/requirements/index.ts';
import { operation } from '../../spec/operations.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import { strongestCredentialName } from '../../suites/engine/callers.ts';
import { runsAlone, sharedResources, usedResources } from '../../suites/engine/locks.ts';
import type { SharedResource } from '../../suites/engine/locks.ts';
import { missingNeed } from '../../suites/engine/needs.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_RUNS } from '../../suites/engine/open-run.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { strongestAccountCredential } from '../../suites/target/account.ts';
import { credentialCheckOf } from '../../suites/target/refused-credentials.ts';
import { placeholderName } from '../../suites/target/target.ts';
import type { Target } from '../../suites/target/target.ts';
import { couldWrite } from '../../suites/target/wire-request.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { measuredRun } from './measured-requests.ts';
import type { MeasuredRule } from './measured-requests.ts';
import { parseSentKey, requestCount, sentKey } from './request-counts.ts';
import type { Counts } from './request-counts.ts';

export interface RunEstimate {
  readonly counts: Counts;
  /** The sum of the requests in `counts`. */
  readonly requestCount: number;
  /** How many requests must wait for each other, because each needs the response before it or a shared resource. */
  readonly stepCount: number;
}

export type EstimatedSettings = Pick<RunSettings, 'runs' | 'selected' | 'isQuick'>;

interface MeasuredCase extends MeasuredRule {
  readonly rule: Requirement;
}

/** Without a selection, of all rules whose needs the target meets. */
export function estimateRun(target: Target, { runs, selected, isQuick = false }: EstimatedSettings): RunEstimate {
  const laterShare = isQuick ? 0 : laterShareOf(runs);
  const cases = requirements.flatMap((rule: Requirement & { id: string }): MeasuredCase[] => {
    const measured = measuredRun.rules[rule.id];
    const isSelected = selected?.some((id) => id === rule.id) ?? true;
    const isSent = isSelected && !(isQuick && rule.level === 'observe');
    return measured === undefined || !isSent || missingNeed(rule, target) !== undefined ? [] : [{ ...measured, rule }];
  });
  const counts = withCredentialChecks(target, countsFor(target, sumOfCases(cases, laterShare)));
  return { counts, requestCount: requestCount(counts), stepCount: stepCount(cases, target, laterShare) };
}

/**
 * Of the requests of the second round with DEFAULT_RUNS. Most of its inputs do not depend on `runs`: measured runs with 1 and
 * 100 sent 0.9 and 1.3 times as many.
 */
const laterShareOf = (runs: number): number => 1 + (runs / DEFAULT_RUNS - 1) / 10;

/** Before the run, each credential is checked with one request: see account.ts and refused-credentials.ts in suites/target. */
function withCredentialChecks(target: Target, counts: Counts): Counts {
  const { scoped, ...named } = target.credentials;
  const sums = new Map(Object.entries(counts));
  const strongest = strongestAccountCredential(target);
  for (const secret of [...Object.values(named), ...Object.values(scoped)]) {
    const isStrongest = strongest !== undefined && secret === target.credentials[strongest];
    const id = isStrongest ? 'listAccounts' : credentialCheckOf(target);
    const key = sentKey({ ...operation(id), operation: id, credential: secret.name });
    sums.set(key, (sums.get(key) ?? 0) + 1);
  }
  return Object.fromEntries(sums);
}

/** What rules share is sent at least as often as the one that needs most would send it alone. */
function sumOfCases(cases: readonly MeasuredCase[], laterShare: number): Counts {
  const sums = new Map<string, number>();
  const maxima = new Map<string, number>();
  for (const { first, later, alone } of cases)
    for (const key of new Set([first, later, alone].flatMap((counts) => Object.keys(counts)))) {
      const own = (first[key] ?? 0) + (later[key] ?? 0) * laterShare;
      sums.set(key, (sums.get(key) ?? 0) + own);
      maxima.set(key, Math.max(maxima.get(key) ?? 0, own + (alone[key] ?? 0)));
    }
  const estimates = [...sums].map(([key, sum]) => [key, Math.max(sum, maxima.get(key) ?? 0)] as const);
  // At least once: a plan must not omit what a run may do.
  const possible = estimates.filter(([, estimate]) => estimate > 0);
  return Object.fromEntries(possible.map(([key, estimate]) => [key, Math.max(1, Math.round(estimate))]));
}

/** Without what the target lacks or a run may not do, and with the names of its credentials. */
function countsFor(target: Target, counts: Counts): Counts {
  const own = new Map<string, number>();
  for (const [key, count] of Object.entries(counts)) {
    const renamed = keyFor(target, key);
    if (renamed !== undefined) own.set(renamed, (own.get(renamed) ?? 0) + count);
  }
  return Object.fromEntries(own);
}

function keyFor(target: Target, key: string): string | undefined {
  const sent = parseSentKey(key);
  if (sent === undefined) return isAllowedEffect(key, target) ? key : undefined;
  const { surface, method, path = '' } = sent;
  if (target.addresses[surface] === undefined) return undefined;
  if (target.allow === 'read' && couldWrite({ surface, method, path })) return undefined;
  const credential = nameIn(target, sent.credential);
  return credential === undefined ? undefined : sentKey({ ...sent, credential });
}

const isAllowedEffect = (key: string, { allow }: Target): boolean =>
  key.startsWith('starts ') ? allow !== 'read' : key.startsWith('removes ') ? allow === 'destroy' : allow !== 'read';

/** The mock's credentials have placeholder names. A run without the strongest one sends the next one instead. */
function nameIn(target: Target, measuredName: string): string | undefined {
  const { scoped, ...named } = target.credentials;
  const strongest = strongestCredentialName(target);
  const names = new Map<string, string | undefined>([
    ...credentialNames.map((name) => [placeholderName(name), named[name]?.name] as const),
    ...Object.entries(scoped).map(([scope, { name }]) => [placeholderName(scope), name] as const),
    ['SVC_CLIENT_BASIC', target.client && 'SVC_CLIENT_BASIC'],
    ['SVC_CLIENT_SECRET', target.client?.secret.name],
  ]);
  if (named.admin === undefined && strongest !== undefined) names.set(placeholderName('admin'), named[strongest]?.name);
  let isMissing = false;
  const renamed = measuredName.replaceAll(/SVC_\w+/g, (name) => {
    const own = names.get(name);
    // Tokens that a run issues to itself are in no target file.
    if (own === undefined && !name.startsWith('SVC_ISSUED_')) isMissing = true;
    return own ?? name;
  });
  return isMissing ? undefined : renamed;
}

/** The longest of the chains: of one case, or of all cases that use the same resource. */
function stepCount(cases: readonly MeasuredCase[], target: Target, laterShare: number): number {
  const stepsOf = ({ steps: [first, later] }: MeasuredCase): number => first + later * laterShare;
  const sum = (some: readonly MeasuredCase[]): number => some.reduce((all, each) => all + stepsOf(each), 0);
  const isLast = ({ rule }: MeasuredCase): boolean => runsAlone(rule, target);
  const [last, others] = [cases.filter(isLast), cases.filter((each) => !isLast(each))];
  const resources = Object.entries(sharedResources) as [SharedResource, { capacity: number }][];
  const chains = resources.map(([name, { capacity }]) => {
    const users = others.filter(({ rule }) => usedResources(rule, target).includes(name));
    return sum(users) / (measuredRun.capacities[name] ?? capacity);
  });
  return Math.round(Math.max(0, ...others.map(stepsOf), ...chains) + sum(last));
}

export interface Speed {
  /** Of one request. */
  readonly latencyMs: number;
  /** Requests per second; 0: no limit. */
  readonly rate: number;
  /** Defaults to DEFAULT_CONCURRENCY. */
  readonly concurrency?: number;
}

/**
 * What assay itself needs on an idle core: a run against the mock, whose latency is about 1 ms, takes 32 s for 10,000 requests,
 * and 9 s for 2,000 of them (--quick).
 */
const PROCESSOR_MS_PER_REQUEST = 3;
const START_AND_END_SECONDS = 2;

/** Seconds on an idle machine, if nothing has to be waited for except responses. */
export function estimateSeconds(
  { requestCount: count, stepCount: steps }: RunEstimate,
  { latencyMs, rate, concurrency = DEFAULT_CONCURRENCY }: Speed,
): number {
  const perRequestMs = Math.max(PROCESSOR_MS_PER_REQUEST, latencyMs / concurrency, rate === 0 ? 0 : 1000 / rate);
  return START_AND_END_SECONDS + Math.max(count * perRequestMs, steps * latencyMs) / 1000;
}

/** Rounded to what an estimate can say. */
export function describeSeconds(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 90 ? `${Math.round(seconds / 5) * 5} s` : `${Math.round(seconds / 60)} min`;
}

/** Two significant digits. */
export const describeCount = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en');
