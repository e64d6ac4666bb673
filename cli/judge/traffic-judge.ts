/** Judges the exchanges of others by every rule that can decide them, and keeps the first violation of each rule. */
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId, RequirementId } from '../../spec/requirements/index.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { ExchangeRecord, RuleResult } from '../../spec/verdicts.ts';
import { SCHEMA_RULE } from '../../reports/report.ts';
import { toRecord } from '../../suites/engine/exchange-log.ts';
import { createElementTracker } from '../../suites/engine/exercised-elements.ts';
import { counterexampleOf, redactOutcome } from '../../suites/engine/run-case.ts';
import { countShape, newTally } from '../../suites/engine/tally.ts';
import { isOfUnlistedVersion, openJudgeBook } from '../../suites/judge/judge-book.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import { Violation, type Mismatch } from '../../suites/target/violation.ts';
import { onlyStranger, readExchange, type ReadExchange } from './read-exchange.ts';
import { forwardedOf } from './recorded-forward.ts';
import type { RecordedExchange, Recording } from './recording/recorded-exchange.ts';
import { redactExchange, redactMismatch } from './redact.ts';
import type { TrafficTarget } from './traffic-target.ts';
import { emptyOutcome, outcomesOf, resultOf, type Findings } from './traffic-verdicts.ts';

/** Of the same traffic: exchanges come in the order in which they were sent. */
export interface RecordingJudge {
  /** Returns the rules that no exchange before broke, as failed results. */
  readonly see: (recorded: RecordedExchange) => RuleResult[];
}

export interface TrafficJudge {
  /** Rules that compare exchanges compare those of one recording only. */
  readonly openRecording: (target: TrafficTarget, form?: Pick<Recording, 'isReserialized'>) => RecordingJudge;
  /** Counts exchanges that cannot be judged. */
  readonly skip: (reason: string, count?: number) => void;
  readonly facts: TrafficFacts;
  /** Of the selected rules. */
  readonly outcomes: () => CaseOutcome[];
}

export interface TrafficFacts {
  /** How many exchanges of documented operations the rules saw. */
  readonly exchanges: number;
  /** Others, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Mistakes in assay, one sentence each: not every rule saw the exchange. */
  readonly errors: ReadonlySet<string>;
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
const MAX_ERRORS = 5;

/** The suite files with the judgements must be loaded. */
export function createTrafficJudge(options: JudgeOptions = {}): TrafficJudge {
  const isSelected = (id: RequirementId): boolean => options.selected?.includes(id) !== false;
  const tally = newTally();
  const { exercised, shapes } = tally;
  const findings: Findings = { books: [], failures: new Map(), operations: new Map(), exercised, shapes };
  const skipped = new Map<string, number>();
  const errors = new Set<string>();
  const skip = (reason: string, count = 1): void => void skipped.set(reason, (skipped.get(reason) ?? 0) + count);
  const evidence = createEvidence(options);
  let exchanges = 0;

  function openRecording(target: TrafficTarget, { isReserialized = false } = {}): RecordingJudge {
    const { facts, secrets } = target;
    const { redaction } = secrets;
    const book = openJudgeBook(facts);
    findings.books.push(book);
    const reading = { isOnlyStranger: onlyStranger(), isReserialized };
    const elements = createElementTracker(facts.addresses);

    function judge(recorded: RecordedExchange): RuleResult[] {
      secrets.learn(forwardedOf(recorded));
      const read = readExchange(recorded, target, reading);
      if ('skipped' in read) {
        skip(read.skipped);
        return [];
      }
      const { seen, exchange, unknown } = read;
      const { operation } = seen;
      exchanges += 1;
      findings.operations.set(operation.id, (findings.operations.get(operation.id) ?? 0) + 1);
      options.onExchange?.(read, exchanges, target);
      if (!unknown.has('the request body')) exercised.push(...elements.newlyExercised(exchange));
      const broken = [...book.see(seen)].filter(([id]) => isSelected(id));
      const hasShape = !unknown.has('the response body') && !isOfUnlistedVersion(seen, facts);
      const isMisfit = hasShape && exchange.shape.length > 0;
      const quoted = isMisfit || broken.length > 0 ? redactExchange(exchange, secrets, facts.brand) : exchange;
      if (hasShape) countShapeOf(quoted, recorded.source);
      const brokenRules: MustId[] = broken.map(([id]) => id);
      if (isMisfit && isSelected(SCHEMA_RULE) && !brokenRules.includes(SCHEMA_RULE)) brokenRules.push(SCHEMA_RULE);
      for (const id of brokenRules) evidence(id, quoted, exchanges, target);
      return broken
        .filter(([id]) => !findings.failures.has(id))
        .map(([id, mismatches]) => {
          const outcome = failedOutcome(id, mismatches, recorded.source, target);
          findings.failures.set(id, outcome);
          return outcome.result;
        });
    }

    function countShapeOf(exchange: Exchange, source: string): void {
      const { misfits } = shapes;
      const known = misfits.length;
      countShape(exchange, requirement(SCHEMA_RULE), { redaction, seed: 0 }, tally);
      for (const [index, misfit] of misfits.entries())
        if (index >= known) misfits[index] = { ...misfit, recorded: source };
    }

    return {
      see(recorded) {
        try {
          return judge(recorded);
        } catch (error) {
          // Others can still be judged.
          const text = `A mistake in assay, at ${recorded.source}: ${(error as Error).message}`;
          if (errors.size < MAX_ERRORS) errors.add(redaction.text(text));
          return [];
        }
      },
    };
  }

  return {
    openRecording,
    skip,
    get facts() {
      return { exchanges, skipped, errors };
    },
    outcomes: () => outcomesOf(findings, isSelected),
  };
}

/** Passes on the first exchanges that break a rule. */
function createEvidence({ onEvidence }: JudgeOptions) {
  const counts = new Map<MustId, number>();
  return (id: MustId, quoted: Exchange, number: number, { secrets }: TrafficTarget): void => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count <= MAX_EVIDENCE) onEvidence?.(toRecord(quoted, number, requirement(id), secrets.redaction));
  };
}

function failedOutcome(
  id: MustId,
  mismatches: readonly Mismatch[],
  source: string,
  { secrets, facts }: TrafficTarget,
): CaseOutcome {
  const { redaction } = secrets;
  const rule: Requirement = requirement(id);
  const violation = new Violation(mismatches.map((each) => redactMismatch(each, secrets, facts.brand)));
  const counterexample = { ...counterexampleOf(violation, rule, { seed: 0, redaction }), recorded: source };
  return redactOutcome(
    emptyOutcome(resultOf(id, { verdict: 'failed', reason: violation.message, counterexample })),
    redaction,
  );
}
