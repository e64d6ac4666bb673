/** Builds the report: one result for every rule of the catalogue, out of what the cases of a run handed over. */
import type { CaseOutcome, ShapeTally } from '../spec/case-outcome.ts';
import type { OracleName } from '../spec/oracle.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { Requirement, RequirementId } from '../spec/requirements/index.ts';
import { REPORT_FORM, summarize } from '../spec/verdicts.ts';
import type { KnownFailure, Report, RuleResult, RunFacts, TargetFacts, Verdict } from '../spec/verdicts.ts';
import { judged, marked } from './known-failures.ts';
import { oracleReport } from './oracle/oracle-report.ts';

/** Its case asks for answers of its own; the answers of every other case are judged with them. */
export const SHAPES_RULE = 'resources.shapes.fit-the-schema' satisfies RequirementId;

/** Why a rule was not tried, where nothing was missing. */
const LEFT_OUT = 'left out by --only or --skip';
const CUT_SHORT = 'the run was cut short';

export interface RunRecord {
  run: RunFacts;
  target: TargetFacts;
  outcomes: readonly CaseOutcome[];
  /** Rules that the user left in; undefined: all. */
  selected?: readonly RequirementId[];
  /** Why a case that should have run did not, by rule. */
  troubles?: Readonly<Record<string, string>>;
  /** The rules of the shard; undefined: the whole catalogue. */
  ofShard?: readonly RequirementId[];
  knownFailures?: readonly KnownFailure[];
  /** Whom the answers were given to besides; undefined: nobody. */
  oracle?: OracleName;
  /** What could not be undone, a sentence each; undefined: nothing, or it is not known yet. */
  left?: readonly string[];
}

export function buildReport(given: RunRecord): Report {
  const record = { ...given, outcomes: inCatalogueOrder(given.outcomes) };
  const { ofShard, knownFailures, oracle, left = [] } = record;
  const rules = requirements.filter(({ id }) => ofShard === undefined || ofShard.includes(id));
  const results = rules.map((rule) => marked(resultOf(rule, record), record.run, knownFailures));
  const exchanges = results.reduce((sum, result) => sum + result.exchanges, 0);
  return {
    report: REPORT_FORM,
    run: record.run,
    target: record.target,
    summary: summarize(results, exchanges),
    requirements: results,
    observations: record.outcomes.flatMap(({ observations }) => observations),
    ...(knownFailures === undefined ? {} : { knownFailures: judged(knownFailures, results, record.run) }),
    ...(oracle === undefined ? {} : { oracle: oracleReport({ ...record, name: oracle, results }) }),
    ...(left.length === 0 ? {} : { left }),
  };
}

/** Cases end in an order that chance and shards decide. */
function inCatalogueOrder(outcomes: readonly CaseOutcome[]): readonly CaseOutcome[] {
  const place = new Map<RequirementId, number>(requirements.map(({ id }, index) => [id, index]));
  return outcomes.toSorted((a, b) => (place.get(a.result.id) ?? 0) - (place.get(b.result.id) ?? 0));
}

function resultOf(rule: Requirement & { id: RequirementId }, record: RunRecord): RuleResult {
  const outcome = record.outcomes.find(({ result }) => result.id === rule.id);
  if (rule.id === SHAPES_RULE && outcome?.result.verdict !== 'failed') return overWholeRun(rule, outcome, record);
  if (outcome !== undefined) return outcome.result;
  return resultWithoutCase(rule, record);
}

function resultWithoutCase(rule: Requirement & { id: RequirementId }, record: RunRecord): RuleResult {
  const base = { id: rule.id, level: rule.level, rule: rule.rule, durationMs: 0, exchanges: 0 };
  if (record.selected?.includes(rule.id) === false) return { ...base, verdict: 'not-tried', reason: LEFT_OUT };
  if (!record.run.complete) return { ...base, verdict: 'not-tried', reason: CUT_SHORT };
  return { ...base, verdict: 'error', reason: record.troubles?.[rule.id] ?? 'its case did not run' };
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

/** The first part of its id. */
export const areaOf = ({ id }: RuleResult): string => id.slice(0, id.indexOf('.'));

export const countOf = (results: readonly RuleResult[], verdict: Verdict): number =>
  results.filter((result) => result.verdict === verdict).length;

/** How many must rules there are, and how many of them were tried. */
export function mustRulesTried({ requirements: results }: Report): { tried: number; all: number } {
  const must = results.filter(({ level }) => level === 'must');
  const tried = must.filter(
    ({ verdict }) => verdict === 'passed' || verdict === 'failed' || verdict === 'known-failure',
  );
  return { tried: tried.length, all: must.length };
}

/** Nobody left the rule out. */
export const wasWanted = ({ verdict, reason }: RuleResult): boolean => verdict !== 'not-tried' || reason !== LEFT_OUT;

/** Of a rule that was not tried: its reason says what the target or the run would have to have. */
export const lacked = ({ reason }: RuleResult): boolean => reason !== LEFT_OUT && reason !== CUT_SHORT;

/** The rules that were not tried, by reason: those for which something was missing, and the others. */
export function untriedByReason(
  results: readonly RuleResult[],
): Record<'lacking' | 'others', [string, RuleResult[]][]> {
  const untried = results.filter(({ verdict }) => verdict === 'not-tried');
  const [lacking, others] = [untried.filter(lacked), untried.filter((result) => !lacked(result))];
  return { lacking: byReason(lacking), others: byReason(others) };
}

export const byReason = (results: readonly RuleResult[]): [string, RuleResult[]][] => [
  ...Map.groupBy(results, ({ reason }) => reason ?? 'no reason given'),
];

/** The rules that were wanted by area; where none was, all. */
export function wantedByArea(results: readonly RuleResult[]): Map<string, RuleResult[]> {
  return Map.groupBy(results.some(wasWanted) ? results.filter(wasWanted) : results, areaOf);
}
