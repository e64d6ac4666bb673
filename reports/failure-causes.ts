/** Why a run fails: the single source for its exit code, headline, badge and every report format. */
import { findingIn } from '../spec/missing-operation.ts';
import { counted } from '../spec/counted.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { listsRule } from './listed-failure.ts';
import { isProblem, problemOf } from './known-failures.ts';
import { oracleErrors } from './oracle/harness-errors.ts';
import { mustRulesTried, isSelected } from './report.ts';
import { isWaiting, unmetNeeds, waitingRules } from './unmet-needs.ts';
import { formatReason } from './format-reason.ts';

export interface Cause {
  readonly kind: CauseKind;
  /** The exit code of the run if this is its first cause. */
  readonly code: 1 | 3;
  /** At least one. */
  readonly findings: readonly Finding[];
}

export interface Finding {
  /** Absent if the finding is about the run as a whole. */
  readonly rule?: RequirementId;
  /** The route of the operation that the finding is about, such as `POST /vpcs`. */
  readonly route?: string;
  readonly message: string;
}

interface Row {
  readonly kind: string;
  readonly code: 1 | 3;
  readonly find: (report: Report) => Finding[];
  /** Sentences for reports that list verdicts anyway; omitted: the message of each finding. */
  readonly sentences?: (findings: readonly Finding[], report: Report) => string[];
}

/** By precedence: the first cause decides the exit code. */
const rows = [
  {
    kind: 'interrupted',
    code: 3,
    find: ({ run }) => (run.complete ? [] : [{ message: 'The run was interrupted, so it does not count as passed.' }]),
  },
  { kind: 'failed', code: 1, find: (report) => withVerdict('failed', report), sentences: () => [] },
  { kind: 'not-implemented', code: 1, find: missingOperations },
  { kind: 'known-failures', code: 1, find: outdatedKnownFailures },
  { kind: 'oracle-violation', code: 1, find: untriedOracleViolations },
  { kind: 'error', code: 3, find: (report) => withVerdict('error', report), sentences: () => [] },
  {
    kind: 'oracle-error',
    code: 3,
    find: ({ oracle }) => (oracle ? oracleErrors(oracle) : []).map((message) => ({ message })),
  },
  {
    kind: 'not-tried',
    code: 1,
    find: notTriedInStrictRun,
    sentences: ({ length }, report) => [strictSentence(length, report)],
  },
  { kind: 'nothing-tried', code: 1, find: nothingTried },
] as const satisfies readonly Row[];

export type CauseKind = (typeof rows)[number]['kind'];

/** In order of precedence; empty if the run passed. */
export const causesOf = (report: Report): Cause[] =>
  rows
    .map(({ kind, code, find }) => ({ kind, code, findings: find(report) }))
    .filter(({ findings }) => findings.length > 0);

/** 0 if every must rule that was tried passed and there is no other cause of failure. */
export const exitCodeOf = (report: Report): 0 | 1 | 3 => causesOf(report)[0]?.code ?? 0;

/** Whether no must rule was tried, and none had to be: the run selected none, or is a shard. */
export const triedNothing = (report: Report): boolean => exitCodeOf(report) === 0 && mustRulesTried(report).tried === 0;

export const NOTHING_TRIED = 'No must rule was tried, so this run does not show whether the target conforms.';

/** Another shard may have tried rules. With --strict, every rule that was not tried is a finding. */
function nothingTried(report: Report): Finding[] {
  const isRequired = report.requirements.some((result) => result.level === 'must' && isSelected(result));
  const isFailure =
    isRequired && report.run.shard === null && report.run.strict !== true && mustRulesTried(report).tried === 0;
  return isFailure ? [{ message: [NOTHING_TRIED, ...firstFixes(report)].join(' ') }] : [];
}

const MAX_FIXES = 3;

/** What to fix so that rules can be tried: suspicious responses, then what most must rules miss. */
function firstFixes({ run: { warnings = [] }, requirements: results }: Report): string[] {
  const fixes = unmetNeeds({ requirements: results.filter(({ level }) => level === 'must') })
    .slice(0, MAX_FIXES)
    .map(({ advice, ruleCount }) => `${advice} (${counted(ruleCount, 'rule')})`);
  return [...warnings, ...(fixes.length === 0 ? [] : [`To try rules: ${fixes.join('; ')}.`])];
}

/** A sentence about a run with fewer inputs than it could have tested. Undefined if it tested all. */
export function sentenceOnStop({ run, requirements: results, summary }: Report): string | undefined {
  const { stoppedBy = null } = run;
  const { length: bailedCount } = results.filter(({ missing }) => missing === 'bail');
  const stopped = `The run stopped after ${counted(summary.failed, 'failed rule')} (--bail)`;
  if (bailedCount > 0) return `${stopped}: ${counted(bailedCount, 'rule was', 'rules were')} not tried.`;
  if (stoppedBy === 'bail') return `${stopped}: some rules were tested with fewer inputs.`;
  if (stoppedBy === null) return undefined;
  if (stoppedBy === 'quick') return 'Only the first round of inputs was tested (--quick).';
  const untriedCount = results.filter(({ missing }) => missing === 'time').length;
  const untried = untriedCount === 0 ? '' : ` ${counted(untriedCount, 'rule was', 'rules were')} not tried;`;
  return `The time of the run was over (--time):${untried} some rules were tested with fewer inputs.`;
}

/** Sentences for the causes of failure other than failed rules and errors, which every report lists separately. */
export const sentencesOf = (report: Report, except?: CauseKind): string[] =>
  (rows as readonly Row[]).flatMap(({ kind, find, sentences = messagesOf }) => {
    const findings = kind === except ? [] : find(report);
    return findings.length === 0 ? [] : sentences(findings, report);
  });

const messagesOf = (findings: readonly Finding[]): string[] => findings.map(({ message }) => message);

const withVerdict = (selected: Verdict, { requirements: results }: Report): Finding[] =>
  results
    .filter(({ verdict }) => verdict === selected)
    .map((result) => ({ rule: result.id, message: formatReason(result) }));

/** Operations that the target does not have, and for which rules wait. */
function missingOperations(report: Report): Finding[] {
  return waitingRules(report).map(([route, results]) => {
    const finding = findingIn(results[0]?.reason ?? '');
    const wait = results.length === 1 ? 'waits' : 'wait';
    return {
      route,
      message: `${route} ${finding}: ${counted(results.length, 'rule')} ${wait} for it`,
    };
  });
}

/** Known failures that have expired or that pass. */
function outdatedKnownFailures({ knownFailures = [] }: Report): Finding[] {
  return knownFailures.filter(isProblem).map((entry) => ({
    ...(entry.rules === undefined && { rule: entry.id as RequirementId }),
    message: problemOf(entry),
  }));
}

/** Rules that were selected but not tried, are not known failures, and were violated according to both readers. */
function untriedOracleViolations({ oracle, requirements: results, knownFailures = [] }: Report): Finding[] {
  const ids = new Set(
    results.filter((result) => result.level === 'must' && isSelectedButNotTried(result)).map(({ id }) => id),
  );
  return (oracle?.violations ?? [])
    .map(({ requirement }) => requirement)
    .filter((id) => ids.has(id) && !knownFailures.some((entry) => listsRule(entry, id)))
    .map((rule) => ({
      rule,
      message: `${rule} was not tried, but assay's validator and Prism found violations of it, so the run fails.`,
    }));
}

function notTriedInStrictRun({ run, requirements: results }: Report): Finding[] {
  const notTriedCount = results.filter((result) => result.level === 'must' && isSelectedButNotTried(result));
  return run.strict === true
    ? notTriedCount.map(({ id, reason = '' }) => ({
        rule: id,
        message: `not tried, which --strict counts as failed: ${reason}`,
      }))
    : [];
}

/** Not because of an operation that the target does not have, which is a finding itself. */
const isSelectedButNotTried = (result: RuleResult): boolean =>
  result.verdict === 'not-tried' && isSelected(result) && !isWaiting(result);

function strictSentence(notTriedCount: number, { requirements: results }: Report): string {
  const selected = results.filter((result) => result.level === 'must' && isSelected(result));
  return `--strict: ${notTriedCount} of ${selected.length} must rules were not tried, so the run fails.`;
}
