/** Builds the report: one result for every rule of the catalogue, out of what the cases of a run handed over. */
import type { CaseOutcome, ShapeTally } from '../spec/case-outcome.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { Requirement, RequirementId } from '../spec/requirements/index.ts';
import { REPORT_FORM, summarize } from '../spec/verdicts.ts';
import type { Report, RuleResult, RunFacts, TargetFacts } from '../spec/verdicts.ts';

/** Its case asks for answers of its own; the answers of every other case are judged with them. */
export const SHAPES_RULE = 'resources.shapes.fit-the-schema' satisfies RequirementId;

export interface RunRecord {
  run: RunFacts;
  target: TargetFacts;
  outcomes: readonly CaseOutcome[];
  /** Rules that the user left in; undefined: all. */
  selected?: readonly RequirementId[];
  noCaseYet: readonly RequirementId[];
  /** Why a case that should have run did not, by rule. */
  troubles?: ReadonlyMap<string, string>;
}

export function buildReport(record: RunRecord): Report {
  const results = requirements.map((rule) => resultOf(rule, record));
  const exchanges = results.reduce((sum, result) => sum + result.exchanges, 0);
  return {
    report: REPORT_FORM,
    run: record.run,
    target: record.target,
    summary: summarize(results, exchanges),
    requirements: results,
    observations: record.outcomes.flatMap(({ observations }) => observations),
  };
}

function resultOf(rule: Requirement & { id: RequirementId }, record: RunRecord): RuleResult {
  const outcome = record.outcomes.find(({ result }) => result.id === rule.id);
  if (rule.id === SHAPES_RULE && outcome?.result.verdict !== 'failed') return overWholeRun(rule, outcome, record);
  if (outcome !== undefined) return outcome.result;
  return resultWithoutCase(rule, record);
}

function resultWithoutCase(rule: Requirement & { id: RequirementId }, record: RunRecord): RuleResult {
  const base = { id: rule.id, level: rule.level, rule: rule.rule, durationMs: 0, exchanges: 0 };
  if (record.selected?.includes(rule.id) === false)
    return { ...base, verdict: 'not-tried', reason: 'left out by --only or --skip' };
  if (record.noCaseYet.includes(rule.id)) return { ...base, verdict: 'not-tried', reason: 'no case yet' };
  if (!record.run.complete) return { ...base, verdict: 'not-tried', reason: 'the run was cut short' };
  return { ...base, verdict: 'error', reason: record.troubles?.get(rule.id) ?? 'its case did not run' };
}

function overWholeRun(
  rule: Requirement & { id: RequirementId },
  outcome: CaseOutcome | undefined,
  record: RunRecord,
): RuleResult {
  const own = outcome?.result ?? resultWithoutCase(rule, record);
  const isWanted = record.selected?.includes(rule.id) !== false;
  return isWanted ? { ...own, ...misfitElsewhere(record.outcomes.map(({ shapes }) => shapes)) } : own;
}

type Decision = Pick<RuleResult, 'verdict' | 'reason' | 'counterexample'>;

/** Nothing where every answer of the run fits. */
function misfitElsewhere(tallies: readonly ShapeTally[]): Decision | undefined {
  const sum = (key: 'fitted' | 'misfitted') => tallies.reduce((total, tally) => total + tally[key], 0);
  const [fitted, misfitted] = [sum('fitted'), sum('misfitted')];
  const first = tallies.find(({ misfits }) => misfits.length > 0)?.misfits[0];
  if (first === undefined) return undefined;
  const reason = `${misfitted} of ${fitted + misfitted} success answers misfit; the first: ${first.actual}`;
  return { verdict: 'failed', reason, counterexample: first };
}

/** How many must rules there are, and how many of them were tried. */
export function mustRulesTried({ requirements: results }: Report): { tried: number; all: number } {
  const must = results.filter(({ level }) => level === 'must');
  const tried = must.filter(
    ({ verdict }) => verdict === 'passed' || verdict === 'failed' || verdict === 'known-failure',
  );
  return { tried: tried.length, all: must.length };
}

/** 0 every tried must rule held; 1 at least one failed; 3 the harness erred or the run was cut short. */
export function exitCodeOf({ summary, run }: Report): 0 | 1 | 3 {
  if (!run.complete) return 3;
  if (summary.failed > 0) return 1;
  return summary.error > 0 ? 3 : 0;
}
