/** Builds the report: one result for every rule of the catalogue, from the outcomes of the run's cases. */
import type { CaseOutcome, ShapeTally } from '../spec/case-outcome.ts';
import { counted } from '../spec/counted.ts';
import { NOT_DECLARED } from '../spec/missing-operation.ts';
import { isAbout, otherOperationCount } from '../spec/operation-names.ts';
import type { OperationId } from '../spec/operations.ts';
import type { OracleName } from '../spec/oracle.ts';
import { requirement, requirements } from '../spec/requirements/index.ts';
import type { Requirement, RequirementId } from '../spec/requirements/index.ts';
import { REPORT_FORM, summarize } from '../spec/verdicts.ts';
import type { KnownFailure, Report, RuleResult, RunFacts, TargetFacts, Verdict } from '../spec/verdicts.ts';
import { coverageOf } from './coverage.ts';
import { judgeKnownFailures, applyKnownFailures } from './known-failures.ts';
import { oracleReport } from './oracle/oracle-report.ts';
import { applyRulesAsOf } from './rules-as-of.ts';
import { hasUnmetNeed, INTERRUPTED, lacksOperation, SKIPPED } from './unmet-needs.ts';

/** Its verdict covers every successful response of the run, not only those its own case requested. */
export const SCHEMA_RULE = 'resources.shapes.fit-the-schema' satisfies RequirementId;

export interface RunRecord {
  run: RunFacts;
  target: TargetFacts;
  outcomes: readonly CaseOutcome[];
  /** Rules selected by --only and --skip; undefined: all. */
  selected?: readonly RequirementId[];
  /** The rules of the shard; undefined: the whole catalogue. */
  shardRules?: readonly RequirementId[];
  knownFailures?: readonly KnownFailure[];
  /** The second reader of the exchanges; undefined: none. */
  oracle?: OracleName;
  /** What could not be undone, one sentence each; undefined: nothing, or not known yet. */
  left?: readonly string[];
}

/** A row of the catalogue. */
type Rule = Requirement & { readonly id: RequirementId };

/** `catalogue`: all rules, in the order of the report. */
export function buildReport(unsorted: RunRecord, catalogue: readonly Rule[] = requirements): Report {
  const record = { ...unsorted, outcomes: inCatalogueOrder(unsorted.outcomes, catalogue) };
  const { shardRules, knownFailures, oracle, left = [] } = record;
  const rules = catalogue.filter(({ id }) => shardRules === undefined || shardRules.includes(id));
  const judging = { ...record.run, knownFailures };
  const results = rules.map((rule) => judgeResult(resultOf(rule, record), rule.since, judging));
  // A judged exchange is one of several rules.
  const exchanges = record.run.judged?.exchanges ?? results.reduce((sum, result) => sum + result.exchanges, 0);
  return {
    report: REPORT_FORM,
    run: record.run,
    target: record.target,
    summary: summarize(results, exchanges),
    requirements: results,
    observations: record.outcomes.flatMap(({ observations }) => observations),
    coverage: coverageOf(record.outcomes, results),
    ...(knownFailures === undefined ? {} : { knownFailures: judgeKnownFailures(knownFailures, results, judging) }),
    ...(oracle === undefined ? {} : { oracle: oracleReport({ ...record, name: oracle, results }) }),
    ...(left.length === 0 ? {} : { left }),
  };
}

/** What decides whether a verdict counts. */
export interface JudgingOptions extends Pick<RunFacts, 'startedAt' | 'rulesAsOf'> {
  readonly knownFailures?: readonly KnownFailure[] | undefined;
}

/** The result after `--rules-as-of` and the known failures. `since`: the version of the rule. */
export function judgeResult(result: RuleResult, since: string, judging: JudgingOptions): RuleResult {
  const { startedAt, rulesAsOf, knownFailures } = judging;
  return applyKnownFailures(applyRulesAsOf(result, since, rulesAsOf), { startedAt }, knownFailures);
}

/** What a verdict of a rule may count as after `--rules-as-of` and the known failures, if its evidence is not known. */
export function judgeVerdict(id: RequirementId, verdict: Verdict, judging: JudgingOptions): Verdict {
  const { level, rule, since } = requirement(id);
  return judgeResult({ id, level, rule, verdict, durationMs: 0, exchanges: 0 }, since, judging).verdict;
}

/** Cases end in an arbitrary order. */
function inCatalogueOrder(outcomes: readonly CaseOutcome[], catalogue: readonly Rule[]): readonly CaseOutcome[] {
  const place = new Map<RequirementId, number>(catalogue.map(({ id }, index) => [id, index]));
  return outcomes.toSorted((a, b) => (place.get(a.result.id) ?? 0) - (place.get(b.result.id) ?? 0));
}

function resultOf(rule: Rule, record: RunRecord): RuleResult {
  const outcome = record.outcomes.find(({ result }) => result.id === rule.id);
  if (rule.id === SCHEMA_RULE && outcome?.result.verdict !== 'failed') return schemaResult(rule, outcome, record);
  if (outcome !== undefined) return outcome.result;
  return resultWithoutCase(rule, record);
}

function resultWithoutCase(rule: Rule, record: RunRecord): RuleResult {
  const base = { id: rule.id, level: rule.level, rule: rule.rule, durationMs: 0, exchanges: 0 };
  const { operations } = record.run;
  const isOther = operations !== undefined && !isAbout(rule, operations as OperationId[]);
  if (record.selected?.includes(rule.id) === false)
    return { ...base, verdict: 'not-tried', reason: isOther ? NOT_DECLARED : SKIPPED };
  if (!record.run.complete) return { ...base, verdict: 'not-tried', reason: INTERRUPTED };
  return { ...base, verdict: 'error', reason: 'no case with its id ran' };
}

function schemaResult(rule: Rule, outcome: CaseOutcome | undefined, record: RunRecord): RuleResult {
  const own = outcome?.result ?? resultWithoutCase(rule, record);
  const isSelected = record.selected?.includes(rule.id) !== false;
  return isSelected ? { ...own, ...schemaMismatch(record.outcomes.map(({ shapes }) => shapes)) } : own;
}

type Decision = Pick<RuleResult, 'verdict' | 'reason' | 'counterexample'>;

/** Undefined if every response of the run matches its schema. */
function schemaMismatch(tallies: readonly ShapeTally[]): Decision | undefined {
  const sum = (key: 'fitted' | 'misfitted') => tallies.reduce((total, tally) => total + tally[key], 0);
  const [fitted, misfitted] = [sum('fitted'), sum('misfitted')];
  const first = tallies.find(({ misfits }) => misfits.length > 0)?.misfits[0];
  if (first === undefined) return undefined;
  const reason = `${misfitted} of ${fitted + misfitted} successful responses do not match their schema; first: ${first.actual}`;
  return { verdict: 'failed', reason, counterexample: first };
}

/** The first part of the rule's id. */
export const areaOf = ({ id }: Pick<RuleResult, 'id'>): string => id.slice(0, id.indexOf('.'));

export const countOf = (results: readonly RuleResult[], verdict: Verdict): number =>
  results.filter((result) => result.verdict === verdict).length;

/** How many of the selected must rules were tried. */
export interface MustRulesTried {
  readonly tried: number;
  readonly all: number;
  /** "4 of 5 must rules tried"; says "selected" if --only or --skip excluded rules. */
  readonly sentence: string;
}

export function mustRulesTried({ requirements: results }: Report): MustRulesTried {
  const must = results.filter((result) => result.level === 'must' && isSelected(result));
  const isTried = (result: RuleResult): boolean =>
    ['passed', 'failed', 'known-failure'].includes(result.verdict) && !lacksOperation(result);
  const { length: tried } = must.filter(isTried);
  const what = results.every(isSelected) ? 'must rules' : 'selected must rules';
  return { tried, all: must.length, sentence: `${tried} of ${must.length} ${what} tried` };
}

/** Whether the user selected the rule: with --only and --skip, and with the operations that the target has. */
export const isSelected = ({ verdict, reason }: RuleResult): boolean =>
  verdict !== 'not-tried' || (reason !== SKIPPED && reason !== NOT_DECLARED);

/** One sentence on the rules about operations that the target does not have yet, or that are not selected. Undefined if all count. */
export function notImplementedSentence({ run, requirements: results }: Report): string | undefined {
  const { operations, chosenOperations } = run;
  if (operations === undefined) return undefined;
  const others = results.filter(({ reason }) => reason === NOT_DECLARED);
  const otherCount = otherOperationCount(operations as OperationId[]);
  const what = chosenOperations === true ? 'not selected' : 'not implemented';
  return `${what}: ${counted(otherCount, 'operation')}, ${counted(others.length, 'rule')}`;
}

/** Why a run ended, or was cut, before it tried a rule: `missing` of a result. */
const cuts: readonly (string | undefined)[] = ['bail', 'time', 'inputs'];

/** Whether the run would have tried the rule, so that its verdict can be compared with that of another run. */
export const isComparable = (result: RuleResult): boolean =>
  isSelected(result) && result.reason !== INTERRUPTED && !cuts.includes(result.missing);

/** The selected rules; all rules if none was selected. */
export const selectedResults = (results: readonly RuleResult[]): readonly RuleResult[] =>
  results.some(isSelected) ? results.filter(isSelected) : results;

/** Rules that were not tried although nothing was missing, grouped by reason. */
export const skippedByReason = (results: readonly RuleResult[]): [string, RuleResult[]][] =>
  byReason(results.filter((result) => result.verdict === 'not-tried' && !hasUnmetNeed(result)));

export const byReason = (results: readonly RuleResult[]): [string, RuleResult[]][] => [
  ...Map.groupBy(results, ({ reason }) => reason ?? 'no reason given'),
];

/** The selected rules by area; all rules if none was selected. */
export const selectedByArea = (results: readonly RuleResult[]): Map<string, RuleResult[]> =>
  Map.groupBy(selectedResults(results), areaOf);
