/** Judges the exchanges of others by every rule that can decide them, and keeps the first violation of each rule. */
import type { CaseOutcome, ElementName } from '../../spec/case-outcome.ts';
import { counted } from '../../spec/counted.ts';
import type { OperationId } from '../../spec/operations.ts';
import { requirement, requirements } from '../../spec/requirements/index.ts';
import type { MustId, RequirementId } from '../../spec/requirements/index.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { ExchangeRecord, RuleResult } from '../../spec/verdicts.ts';
import { SCHEMA_RULE } from '../../reports/report.ts';
import { toRecord } from '../../suites/engine/exchange-log.ts';
import { createElementTracker } from '../../suites/engine/exercised-elements.ts';
import { counterexampleOf, redactOutcome } from '../../suites/engine/run-case.ts';
import { countShape, newTally } from '../../suites/engine/tally.ts';
import { openJudgeBook, type JudgeBook } from '../../suites/judge/judge-book.ts';
import { judgements } from '../../suites/judge/judgement.ts';
import type { Part } from '../../suites/judge/seen.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import { Violation, type Mismatch } from '../../suites/target/violation.ts';
import { onlyStranger, readExchange, type ReadExchange } from './read-exchange.ts';
import { forwardedOf } from './recorded-forward.ts';
import type { RecordedExchange } from './recording/recorded-exchange.ts';
import { redactExchange, redactMismatch } from './redact.ts';
import type { TrafficTarget } from './traffic-target.ts';

/** Of the same traffic: exchanges come in the order in which they were sent. */
export interface RecordingJudge {
  /** Returns the rules that no exchange before broke, as failed results. */
  see(recorded: RecordedExchange): RuleResult[];
}

export interface TrafficJudge {
  /** Rules that compare exchanges compare those of one recording only. */
  openRecording(target: TrafficTarget): RecordingJudge;
  /** Counts exchanges that cannot be judged. */
  skip(reason: string, count?: number): void;
  readonly facts: TrafficFacts;
  /** Of the selected rules. */
  outcomes(): CaseOutcome[];
}

export interface TrafficFacts {
  /** How many exchanges of documented operations the rules saw. */
  readonly exchanges: number;
  /** Others, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

export interface JudgeOptions {
  /** Rules to judge. Defaults to all. */
  readonly selected?: readonly RequirementId[];
  /** Called with the first exchanges that break a rule. */
  readonly onEvidence?: (record: ExchangeRecord) => void;
  /** Called with each exchange that the rules see, and its number, counted from 1. */
  readonly onExchange?: (read: ReadExchange, number: number, target: TrafficTarget) => void;
}

/** Of a rule. */
const MAX_EVIDENCE = 20;

/** The suite files with the judgements must be loaded. */
export function createTrafficJudge({ selected, onEvidence, onExchange }: JudgeOptions = {}): TrafficJudge {
  const isSelected = (id: RequirementId): boolean => selected?.includes(id) !== false;
  const books: JudgeBook[] = [];
  const failures = new Map<RequirementId, CaseOutcome>();
  const operations = new Map<OperationId, number>();
  const skipped = new Map<string, number>();
  const evidence = new Map<MustId, number>();
  const exercised: ElementName[] = [];
  const shapes = newTally();
  let exchanges = 0;
  const skip = (reason: string, count = 1): void => void skipped.set(reason, (skipped.get(reason) ?? 0) + count);

  function openRecording(target: TrafficTarget): RecordingJudge {
    const { facts, secrets } = target;
    const book = openJudgeBook(facts);
    books.push(book);
    const isOnlyStranger = onlyStranger();
    const elements = createElementTracker(facts.addresses);
    function see(recorded: RecordedExchange): RuleResult[] {
      secrets.learn(forwardedOf(recorded));
      const read = readExchange(recorded, target, isOnlyStranger);
      if ('skipped' in read) {
        skip(read.skipped);
        return [];
      }
      const { seen, unknown } = read;
      const { exchange, operation } = seen;
      exchanges += 1;
      onExchange?.(read, exchanges, target);
      operations.set(operation.id, (operations.get(operation.id) ?? 0) + 1);
      if (!unknown.has('the request body')) exercised.push(...elements.newlyExercised(exchange));
      if (!unknown.has('the response body'))
        countShapeOf(exchange.shape.length > 0 ? quoted(exchange) : exchange, recorded);
      const broken = [...book.see(seen)].filter(([id]) => isSelected(id));
      for (const [id] of broken) noteEvidence(id, quoted(exchange));
      return broken.filter(([id]) => !failures.has(id)).map(([id, mismatches]) => fail(id, mismatches, recorded));
    }
    const quoted = (exchange: Exchange) => redactExchange(exchange, secrets, facts.brand);
    const { redaction } = secrets;
    function countShapeOf(exchange: Exchange, { source }: RecordedExchange): void {
      const { misfits } = shapes.shapes;
      const known = misfits.length;
      countShape(exchange, requirement(SCHEMA_RULE), { redaction, seed: 0 }, shapes);
      for (const [index, misfit] of misfits.entries())
        if (index >= known) misfits[index] = { ...misfit, recorded: source };
    }
    function noteEvidence(id: MustId, exchange: Exchange): void {
      const count = (evidence.get(id) ?? 0) + 1;
      evidence.set(id, count);
      if (count <= MAX_EVIDENCE) onEvidence?.(toRecord(exchange, exchanges, requirement(id), redaction));
    }
    function fail(id: MustId, mismatches: readonly Mismatch[], { source }: RecordedExchange): RuleResult {
      const rule: Requirement = requirement(id);
      const violation = new Violation(mismatches.map((each) => redactMismatch(each, secrets, facts.brand)));
      const counterexample = { ...counterexampleOf(violation, rule, { seed: 0, redaction }), recorded: source };
      const decision = { verdict: 'failed' as const, reason: violation.message, counterexample };
      const outcome = redactOutcome({ ...emptyOutcome(resultOf(id, decision)) }, redaction);
      failures.set(id, outcome);
      return outcome.result;
    }
    return { see };
  }

  function outcomes(): CaseOutcome[] {
    const findings = books.map((book) => book.findings());
    const all = requirements.map(({ id }) => id).filter(isSelected);
    return all.map((id) => {
      const own = findings.flatMap((each) => each.get(id as MustId) ?? []);
      const judged = own.reduce((sum, each) => sum + each.judged, 0);
      const outcome = failures.get(id) ?? emptyOutcome(resultOf(id, untilNow(id, judged, mergedUnknown(own))));
      const isShapeRule = id === SCHEMA_RULE;
      return {
        ...outcome,
        result: { ...outcome.result, exchanges: judged, ...(judged > 0 && { inputs: judged }) },
        ...(isShapeRule && { shapes: shapes.shapes }),
        ...(id === all[0] && { exercised }),
      };
    });
  }

  type Decision = Pick<RuleResult, 'verdict' | 'reason' | 'missing' | 'counterexample'>;

  function untilNow(id: RequirementId, judged: number, unknown: ReadonlyMap<Part, number>): Decision {
    if (judged > 0 || (id === SCHEMA_RULE && shapes.shapes.fitted > 0)) return { verdict: 'passed' };
    const judgement = judgements.get(id as MustId);
    if (judgement === undefined && id !== SCHEMA_RULE)
      return {
        verdict: 'not-tried',
        reason: `needs requests of its own: assay test --only ${id}`,
        missing: 'requests',
      };
    const [most] = [...unknown].toSorted(([, one], [, other]) => other - one);
    if (most !== undefined)
      return {
        verdict: 'not-tried',
        reason: `${most[0]} is unknown in ${counted(most[1], 'exchange')}`,
        missing: 'recording',
      };
    return {
      verdict: 'not-tried',
      reason: `the traffic has no exchange that shows it${where(judgement?.operations ?? 'every')}`,
      missing: 'traffic',
    };
  }

  function where(of: 'every' | readonly OperationId[]): string {
    if (of === 'every') return '';
    const sent = of.filter((id) => operations.has(id));
    const count = sent.reduce((sum, id) => sum + operations.get(id)!, 0);
    return sent.length === 0 ? `: none of ${listed(of)}` : `, in ${counted(count, 'exchange')} of ${listed(sent)}`;
  }

  return {
    openRecording,
    skip,
    get facts() {
      return { exchanges, skipped };
    },
    outcomes,
  };
}

const MAX_LISTED = 3;

function listed(ids: readonly OperationId[]): string {
  const more = ids.length - MAX_LISTED;
  return `${ids.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${counted(more, 'more operation')}` : ''}`;
}

function mergedUnknown(findings: readonly { readonly unknown: ReadonlyMap<Part, number> }[]): Map<Part, number> {
  const merged = new Map<Part, number>();
  for (const { unknown } of findings)
    for (const [part, count] of unknown) merged.set(part, (merged.get(part) ?? 0) + count);
  return merged;
}

function resultOf(id: RequirementId, decision: Pick<RuleResult, 'verdict'> & Partial<RuleResult>): RuleResult {
  const { level, rule } = requirement(id);
  return { id, level, rule, durationMs: 0, exchanges: 0, ...decision };
}

const emptyOutcome = (result: RuleResult): CaseOutcome => ({
  result,
  observations: [],
  shapes: { fitted: 0, misfitted: 0, misfits: [] },
  exercised: [],
});
