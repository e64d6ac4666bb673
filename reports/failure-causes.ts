/** What makes a run not green: its exit code, its headline, its badge and every form of its report draw on this. */
import type { RequirementId } from '../spec/requirements/index.ts';
import type { Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { isProblem, problemOf } from './known-failures.ts';
import { oracleFaults } from './oracle/harness-errors.ts';
import { mustRulesTried, wasWanted } from './report.ts';
import { whyOf } from './format-reason.ts';

export interface Cause {
  readonly kind: CauseKind;
  /** The exit code of the run, where no cause before it is there. */
  readonly code: 1 | 3;
  /** One at least. */
  readonly found: readonly Finding[];
}

export interface Finding {
  /** Absent where it is of the run as a whole. */
  readonly rule?: RequirementId;
  readonly says: string;
}

interface Row {
  readonly kind: string;
  readonly code: 1 | 3;
  readonly find: (report: Report) => Finding[];
  /** Sentences for who is told the verdicts of rules besides; left out: what each finding says. */
  readonly tell?: (found: readonly Finding[], report: Report) => string[];
}

/** In the order in which they count. */
const rows = [
  {
    kind: 'cut-short',
    code: 3,
    find: ({ run }) => (run.complete ? [] : [{ says: 'The run was cut short, so it is not green.' }]),
  },
  { kind: 'failed', code: 1, find: (report) => having('failed', report), tell: () => [] },
  { kind: 'out-of-date', code: 1, find: outOfDate },
  { kind: 'seen-broken', code: 1, find: seenBroken },
  { kind: 'error', code: 3, find: (report) => having('error', report), tell: () => [] },
  { kind: 'oracle', code: 3, find: ({ oracle }) => (oracle ? oracleFaults(oracle) : []).map((says) => ({ says })) },
  { kind: 'untried', code: 1, find: strictlyUntried, tell: ({ length }, report) => [strictSentence(length, report)] },
] as const satisfies readonly Row[];

export type CauseKind = (typeof rows)[number]['kind'];

/** The first is what the run ends with; none where the run is green. */
export const causesOf = (report: Report): Cause[] =>
  rows.map(({ kind, code, find }) => ({ kind, code, found: find(report) })).filter(({ found }) => found.length > 0);

/** 0: every must rule that was tried held, and nothing else is amiss. */
export const exitCodeOf = (report: Report): 0 | 1 | 3 => causesOf(report)[0]?.code ?? 0;

/** No cause, and no must rule tried either: neither green nor red. */
export const saysNothing = (report: Report): boolean => exitCodeOf(report) === 0 && mustRulesTried(report).tried === 0;

/** Of a run that says nothing. */
export const NOTHING_TRIED = 'No must rule was tried, so the run says nothing of conformance.';

/** What makes the run fail besides rules that failed or erred, each of which is told by itself. */
export const sentencesOf = (report: Report): string[] =>
  (rows as readonly Row[]).flatMap(({ find, tell = saidOf }) => {
    const found = find(report);
    return found.length === 0 ? [] : tell(found, report);
  });

const saidOf = (found: readonly Finding[]): string[] => found.map(({ says }) => says);

const having = (wanted: Verdict, { requirements: results }: Report): Finding[] =>
  results.filter(({ verdict }) => verdict === wanted).map((result) => ({ rule: result.id, says: whyOf(result) }));

/** Known failures that have expired or pass by now. */
function outOfDate({ knownFailures = [] }: Report): Finding[] {
  return knownFailures.filter(isProblem).map((entry) => ({ rule: entry.id, says: problemOf(entry) }));
}

/** Rules that were not tried, though nobody left them out or put up with them, and that both readers of the oracle saw broken. */
function seenBroken({ oracle, requirements: results, knownFailures = [] }: Report): Finding[] {
  const known = new Set(knownFailures.map(({ id }) => id));
  const ids = new Set(results.filter(isWantedUntried).map(({ id }) => id));
  return (oracle?.violations ?? [])
    .map(({ requirement }) => requirement)
    .filter((id) => ids.has(id) && !known.has(id))
    .map((rule) => ({ rule, says: `${rule} was not tried, but both readers saw it broken, so the run fails.` }));
}

function strictlyUntried({ run, requirements: results }: Report): Finding[] {
  const untried = results.filter((result) => result.level === 'must' && isWantedUntried(result));
  return run.strict === true
    ? untried.map(({ id, reason = '' }) => ({ rule: id, says: `not tried in a strict run: ${reason}` }))
    : [];
}

const isWantedUntried = (result: RuleResult): boolean => result.verdict === 'not-tried' && wasWanted(result);

function strictSentence(untried: number, { requirements: results }: Report): string {
  const wanted = results.filter((result) => result.level === 'must' && wasWanted(result));
  return `Strict: ${untried} of ${wanted.length} must rules were not tried, so the run fails.`;
}
