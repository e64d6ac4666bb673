/** Runs one case against a target and decides its verdict. No other code decides verdicts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { counted } from '../../spec/counted.ts';
import { renderObservation } from '../../spec/observations/observation.ts';
import { NOT_DECLARED } from '../../spec/missing-operation.ts';
import type { OracleTally } from '../../spec/oracle.ts';
import { describeNeed, needs } from '../../spec/requirements/requirement.ts';
import { describeSource } from '../../spec/requirements/source.ts';
import type { Need, Requirement } from '../../spec/requirements/requirement.ts';
import type { Counterexample, Observation, RuleResult } from '../../spec/verdicts.ts';
import type { Round } from './choose-inputs.ts';
import { firstUnmetNeed, needsUndeclared } from './needs.ts';
import type { UndeclaredResponse } from './obstacles.ts';
import { describeRepetition } from './repeated-request.ts';
import { asOtherCause, isOfKnownCause } from './other-causes.ts';
import { aloneWithAllInputs, createRun } from './run.ts';
import { asRequestLimit } from './request-limit.ts';
import { beforeDeadline, roundSeconds } from './round-deadline.ts';
import { newTally } from './tally.ts';
import type { Execution, Run, RunContext } from './run.ts';
import type { Tally } from './tally.ts';
import { toOracleTally } from './oracle-tally.ts';
import { waitedSecondsFor } from '../target/eventually.ts';
import { curlScript } from '../target/curl-script.ts';
import type { ScriptStep } from '../target/curl-script.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Redaction } from '../target/redaction.ts';
import type { Target } from '../target/target.ts';
import { HarnessError, RequestLimitError, ResponsesTooLargeError } from '../target/transport.ts';
import { exchangesOf, NotTried, OperationsMissing, OutOfTime, Violation } from '../target/violation.ts';
import type { Difference, Mismatch, Sent } from '../target/violation.ts';
import { summarizeRequest } from './request-summary.ts';

export interface Case {
  rule: Requirement;
  try(run: Run): Promise<void>;
}

type Decision = Pick<RuleResult, 'verdict'> & Partial<Pick<RuleResult, 'reason' | 'missing' | 'counterexample'>>;

/** A case that has not ended: its code runs once per round, and each property tests the inputs of that round. */
export interface CaseRun {
  readonly rule: Requirement;
  /** Returns whether another round is left. */
  next(own?: Pick<Execution, 'slots' | 'places'>): Promise<boolean>;
  /** The round that comes next. Undefined after the last one. */
  nextRound(): Round | undefined;
  /** Whether its responses did not fit into memory, so that it begins again: without other cases, and one input at a time. */
  needsMemory(): boolean;
  /** The outcome of the rounds so far. Never throws: errors become the verdict. It contains no secrets. `bailed`: failures because of which the case may not have been started. */
  end(bailed?: number): CaseOutcome;
  /** The outcome when all cases have ended: it fails if the exchanges of another case violate its rule. */
  amended(outcome: CaseOutcome): CaseOutcome;
}

function notStarted(isObserving: boolean, maxRounds: number, bailed?: number): Decision {
  if (bailed !== undefined)
    return notTried({ message: `a run without --bail: ${counted(bailed, 'rule')} had failed before`, missing: 'bail' });
  if (!isObserving) return notTried(new OutOfTime());
  return maxRounds === 1
    ? notTried({ message: 'a run without --quick', missing: 'inputs' })
    : notTried({ message: 'more time: the run ended before this was observed', missing: 'time' });
}

const notTried = ({ message, missing }: Pick<NotTried, 'message'> & Partial<Pick<NotTried, 'missing'>>): Decision =>
  isNeed(message)
    ? notTriedWithout(message)
    : { verdict: 'not-tried', reason: message, ...(missing !== undefined && { missing }) };

/** Cases name a need that they find to be unmet. */
const isNeed = (message: string): message is keyof typeof needs => Object.hasOwn(needs, message);

const notTriedWithout = (missing: Need): Decision => ({
  verdict: 'not-tried',
  reason: `${missing}: ${describeNeed(missing)}`,
  missing,
});

/** Undefined if the target meets all needs of the rule. */
function unmetNeed(rule: Requirement, target: Target): Decision | undefined {
  const missing = firstUnmetNeed(rule, target);
  if (missing === undefined) return undefined;
  return needsUndeclared(rule, missing, target)
    ? { verdict: 'not-tried', reason: NOT_DECLARED }
    : notTriedWithout(missing);
}

/** `isInRounds`: whether the case runs once per round, instead of once with all inputs. */
export function startCase(testCase: Case, context: RunContext, isInRounds: boolean): CaseRun {
  const { rule } = testCase;
  const { maxRounds = Infinity } = context;
  let tally = newTally();
  let durationMs = 0;
  const isObserving = rule.level === 'observe';
  // Observing is no judgement: it has no first round.
  const firstRound: Round | undefined = isInRounds ? (isObserving ? 2 : 1) : undefined;
  let round: Round | undefined = firstRound;
  let decision: Decision | undefined;
  /** What the rounds before the case began again found: it counts if the time ends first. */
  let before: { readonly tally: Tally; readonly decision: Decision | undefined } | undefined;
  const hasBegunAgain = (): boolean => before !== undefined;
  async function next(own = aloneWithAllInputs): Promise<boolean> {
    const started = performance.now();
    const current = isObserving ? undefined : round;
    tally.nextRound = undefined;
    const found = await decide(testCase, hasBegunAgain() ? { ...context, concurrency: 1 } : context, tally, {
      ...own,
      ...(current && { round: current }),
    });
    durationMs += performance.now() - started;
    // A case that was cut may still go on.
    if (tally.isEnded) tally = { ...tally, observations: tally.observations.slice() };
    if (tally.isOutOfMemory && isInRounds && !hasBegunAgain()) {
      beginAgain();
      return true;
    }
    round = tally.nextRound;
    // The first inputs may be those that this target does not have, or about which nothing can be judged.
    if (round !== undefined && decision === undefined && isInconclusive(found) && !tally.isCut) return next(own);
    // What a later round lacks changes nothing about what earlier ones have shown.
    if (decision === undefined || found.verdict !== 'not-tried') decision = found;
    return hasFurtherRound();
  }
  function beginAgain(): void {
    before = { tally, decision };
    const { exchanges, nameCount, exercised } = tally;
    // What it has exercised, no other exchange of the run reports again.
    tally = { ...newTally(), exchanges, nameCount, exercised };
    round = firstRound;
    decision = undefined;
  }
  // A failure ends the case; and what the first round lacks, later ones lack too.
  const hasFurtherRound = (): boolean => round !== undefined && decision?.verdict === 'passed';
  function end(bailed?: number): CaseOutcome {
    if (decision === undefined && before !== undefined) ({ tally, decision } = before);
    const unmet = unmetNeed(rule, context.target);
    const ended = decision ?? unmet ?? notStarted(isObserving, maxRounds, bailed);
    const { id, level, rule: text } = rule as Requirement & Pick<RuleResult, 'id'>;
    const inputs = tally.tried > 0 && { inputs: tally.tried };
    const facts = { durationMs: Math.round(durationMs), exchanges: tally.exchanges, ...inputs };
    const isUnfinished = tally.isCut || decision === undefined || hasFurtherRound();
    const isCut = unmet === undefined && isUnfinished && context.isTimeUp?.() === true;
    const isBailed = unmet === undefined && isUnfinished && bailed !== undefined && (round ?? 1) <= maxRounds;
    const result = { id, level, rule: text, ...ended, ...facts };
    const isWaiting =
      context.missingOperations?.obstacleTo(rule, result, tally.evidence, tally.undeclared) !== undefined;
    context.endCase?.(rule, ended.verdict, isWaiting);
    const oracle = context.oracle && { oracle: toOracleTally(tally.oracle, context.oracle.takeCanaries()) };
    return redactOutcome(
      {
        result,
        observations: tally.observations,
        shapes: tally.shapes,
        exercised: tally.exercised,
        ...(isCut && { isCut }),
        ...(isBailed && { isBailed }),
        ...(tally.replayed !== undefined && { replayed: context.redaction.deepKnown(tally.replayed) }),
        ...oracle,
      },
      context.redaction,
    );
  }
  return {
    rule,
    next,
    nextRound: () => round,
    needsMemory: hasBegunAgain,
    end,
    amended: (outcome) => withJudgement(outcome, rule, context, tally),
  };
}

/** Another case may have sent what its own did not. */
function withJudgement(
  outcome: CaseOutcome,
  rule: Requirement,
  context: RunContext,
  { evidence, undeclared }: Pick<Tally, 'evidence' | 'undeclared'>,
): CaseOutcome {
  const isExcused = (found: readonly Mismatch[]): boolean => isOfKnownCause(context, rule, found);
  const mismatches = context.judging?.violationOf(rule.id, isExcused);
  const { verdict } = outcome.result;
  if (mismatches === undefined || (verdict !== 'passed' && verdict !== 'not-tried')) {
    const others = verdict === 'passed' ? (context.judging?.undeclaredOf(rule.id, isExcused) ?? []) : [];
    return withMissingOperation(outcome, rule, context, evidence, [...undeclared, ...others]);
  }
  const violation = new Violation(mismatches);
  for (const { exchange } of mismatches) context.reuse?.(exchange, rule);
  context.endCase?.(rule, 'failed');
  const { missing: _, ...result } = outcome.result;
  const sender = mismatches[0] && context.judging?.senderOf(mismatches[0].exchange);
  // A replay tries the rule that sent it, too.
  const input = sender === undefined || sender === rule.id ? {} : { requirement: sender };
  const counterexample = { ...counterexampleOf(violation, rule, context), input };
  const failed = redactOutcome(
    { ...outcome, result: { ...result, verdict: 'failed', reason: violation.message, counterexample } },
    context.redaction,
  );
  return withMissingOperation(
    failed,
    rule,
    context,
    mismatches.map(({ exchange }) => exchange),
  );
}

/** A rule that only shows that the target does not have an operation waits for it: that is one finding for all such rules. */
function withMissingOperation(
  outcome: CaseOutcome,
  rule: Requirement,
  context: RunContext,
  evidence: readonly Exchange[],
  undeclared: readonly UndeclaredResponse[] = [],
): CaseOutcome {
  const obstacle = context.missingOperations?.obstacleTo(rule, outcome.result, evidence, undeclared);
  if (obstacle === undefined) return withRefusals(outcome, rule, context);
  const { exchange, ...why } = obstacle;
  const { id, level, rule: text, durationMs, exchanges } = outcome.result;
  const counterexample = exchange && counterexampleOf(missingAnswer(exchange), rule, context);
  const result: RuleResult = { id, level, rule: text, verdict: 'not-tried', ...why, durationMs, exchanges };
  return redactOutcome(
    { ...outcome, result: { ...result, ...(counterexample && { counterexample }) } },
    context.redaction,
  );
}

/** A reason that only describes what is needed also names what the target returned instead. */
function withRefusals(outcome: CaseOutcome, rule: Requirement, { missingOperations }: RunContext): CaseOutcome {
  const { verdict, reason, missing } = outcome.result;
  if (verdict !== 'not-tried' || reason === undefined || reason === NOT_DECLARED || missing !== undefined)
    return outcome;
  return { ...outcome, result: { ...outcome.result, reason: missingOperations?.explained(rule, reason) ?? reason } };
}

const missingAnswer = (exchange: Exchange): Violation =>
  new Violation([{ expected: 'a response of the operation', actual: `status ${exchange.response.status}`, exchange }]);

/** The rounds that the run has, one after the other. */
export async function runCase(testCase: Case, context: RunContext): Promise<CaseOutcome> {
  const { maxRounds = Infinity } = context;
  const run = startCase(testCase, context, maxRounds < Infinity);
  while ((await run.next()) && (run.nextRound() ?? 0) <= maxRounds);
  return run.amended(run.end());
}

/**
 * In what we sent, only known secrets are redacted, so that it can be sent again; what the target sent is redacted further.
 * Our own texts stay: a secret may equal a word of a rule id.
 */
export function redactOutcome(outcome: CaseOutcome, redaction: Redaction): CaseOutcome {
  const { result, observations, shapes, oracle } = outcome;
  const redactCounterexample = (failingInput: Counterexample): Counterexample => {
    const { input, curl, request, sources, ...reported } = failingInput;
    const sent = { input: redaction.deepKnown(input), curl: redaction.known(curl) };
    const quoted = sources && { sources };
    return {
      ...redaction.values(reported),
      ...sent,
      ...(request && { request: redaction.deepKnown(request) }),
      ...quoted,
    };
  };
  const { counterexample, reason } = result;
  return {
    ...outcome,
    result: {
      ...result,
      ...(reason === undefined ? {} : { reason: redaction.text(reason) }),
      ...(counterexample === undefined ? {} : { counterexample: redactCounterexample(counterexample) }),
    },
    observations: observations.map((each) => redactObservation(each, redaction)),
    shapes: { ...shapes, misfits: shapes.misfits.map(redactCounterexample) },
    ...(oracle && { oracle: redactTally(oracle, redaction) }),
  };
}

/** In a body shape, the name of a member does not make its shape a secret. */
function redactObservation({ id, what, value }: Observation, redaction: Redaction): Observation {
  const isShape = typeof value === 'object' && value !== null && 'body' in value;
  return renderObservation(id, redaction.text(what), isShape ? redaction.deepKnown(value) : redaction.deep(value));
}

function redactTally(tally: OracleTally, redaction: Redaction): OracleTally {
  const misfits = tally.misfits.map((misfit) => {
    const { curl, requirement, ...reported } = misfit.example;
    return { ...misfit, example: { ...redaction.values(reported), requirement, curl: redaction.known(curl) } };
  });
  return { ...tally, misfits };
}

async function decide(testCase: Case, context: RunContext, tally: Tally, execution: Execution): Promise<Decision> {
  const unmet = unmetNeed(testCase.rule, context.target);
  if (unmet !== undefined) return unmet;
  if (context.missingOperations?.areMissing(testCase.rule) === true) return notTried(new OperationsMissing());
  const run = createRun(testCase.rule, context, tally, execution);
  try {
    const pending = testCase.try(run);
    await beforeDeadline(beforeCutOff(pending, context, tally), roundSeconds(context.target.rate), tally);
    return verdictOnReturn(testCase.rule, tally);
  } catch (error) {
    return verdictOnError(await endOf(error, run, tally), testCase.rule, context, tally);
  }
}

/** The error that decides the verdict: another cause may be behind it, and looking for one may end the case. */
async function endOf(error: unknown, run: Run, tally: Tally): Promise<unknown> {
  try {
    return await asRequestLimit(await asOtherCause(error, run, tally), run);
  } catch (thrown) {
    if (thrown instanceof OperationsMissing) return thrown;
    throw thrown;
  }
}

/** Throws OutOfTime at the cut-off of the run, or what the case has found, when all requests that may change something have ended. */
async function beforeCutOff(pending: Promise<void>, { cutOff }: RunContext, tally: Tally): Promise<void> {
  const isCut = await Promise.race([pending.then(() => false), ...(cutOff ? [cutOff.then(() => true)] : [])]);
  if (!isCut) return;
  tally.isOver = true;
  const thrown = await Promise.race([pending.catch((error: unknown) => error), nextTurn()]);
  await Promise.all(tally.writes);
  tally.isEnded = true;
  if (tally.violation === undefined) throw new OutOfTime();
  // The case itself may have found out that it means nothing.
  const isOwn = [NotTried, OperationsMissing, Violation].some((each) => thrown instanceof each);
  throw isOwn ? thrown : tally.violation;
}

/** The case returned, but none of its properties had inputs in the round. */
const NOTHING_TESTED: Decision = { verdict: 'error', reason: 'nothing was tested' };

const isInconclusive = (found: Decision): boolean => found === NOTHING_TESTED || found.verdict === 'not-tried';

function verdictOnReturn({ level }: Requirement, tally: Tally): Decision {
  if (level === 'observe' && tally.observations.length > 0) return { verdict: 'observed' };
  const missing = [...tally.skippedInputs.values()];
  const [first] = missing;
  if (level === 'must' && first !== undefined && tally.tried <= missing.length) return notTried(new NotTried(first));
  if (level === 'must' && tally.tried > 0)
    return {
      verdict: 'passed',
      ...(first !== undefined && {
        reason: `${missing.length} of ${tally.tried} inputs show nothing; missing: ${first}`,
      }),
    };
  return level === 'must' ? NOTHING_TESTED : { verdict: 'error', reason: 'nothing was observed' };
}

function verdictOnError(error: unknown, rule: Requirement, context: RunContext, tally: Tally): Decision {
  const { level } = rule;
  if (error instanceof OutOfTime) tally.isCut = true;
  if (error instanceof ResponsesTooLargeError) tally.isOutOfMemory = true;
  const missing = missingPrerequisite(level, error);
  if (missing !== undefined) {
    if (tally.observations.length > 0)
      return { verdict: 'observed', reason: `partly observed; missing: ${missing.message}` };
    return notTried(missing);
  }
  if (!(error instanceof Violation)) return { verdict: 'error', reason: describeError(error) };
  tally.evidence = error.mismatches.map(({ exchange }) => exchange);
  const [repetition] = error.mismatches.flatMap(({ exchange }) => describeRepetition(exchange) ?? []);
  if (repetition !== undefined) return { verdict: 'error', reason: repetition };
  return { verdict: 'failed', reason: error.message, counterexample: counterexampleOf(error, rule, context) };
}

/** Undefined if nothing was missing. A violation in an observing case belongs to another rule, so there is nothing to observe. */
function missingPrerequisite(level: Requirement['level'], error: unknown): NotTried | OperationsMissing | undefined {
  if (error instanceof NotTried || error instanceof OperationsMissing) return error;
  if (error instanceof RequestLimitError) return new NotTried(`a target that accepts more requests (${error.message})`);
  return error instanceof Violation && level === 'observe'
    ? new NotTried(`a documented response (${error.message})`)
    : undefined;
}

/** Other errors than those of the network are mistakes in assay. */
function describeError(error: unknown): string {
  if (error instanceof HarnessError) return error.message;
  return `a mistake in assay: ${error instanceof Error ? error.message : String(error)}`;
}

/** A shorter wait is not worth mentioning. */
const MIN_MENTIONED_SECONDS = 5;

export function counterexampleOf(
  violation: Violation,
  rule: Requirement,
  { seed, redaction }: { seed: number; redaction: Redaction },
): Counterexample {
  const { mismatches, failingInput } = violation;
  const [firstMismatch] = mismatches;
  const differences = distinctDifferences(mismatches);
  const cited = citedSources(mismatches, rule);
  const waitedSeconds = Math.round(Math.max(...mismatches.map(({ exchange }) => waitedSecondsFor(exchange) ?? 0)));
  return {
    input: failingInput?.input ?? {},
    seed: failingInput?.seed ?? seed,
    path: failingInput?.path ?? '',
    ...(failingInput && { property: failingInput.property, shrinking: failingInput.shrinking }),
    curl: firstMismatch === undefined ? '' : scriptOf(firstMismatch, redaction),
    ...(firstMismatch && { request: summarizeRequest(firstMismatch.exchange.request) }),
    expected: distinct(mismatches.map(({ expected }) => expected)),
    actual: distinct(mismatches.map(({ actual }) => actual)),
    ...(differences.length > 1 && { differences }),
    ...(cited.length > 0 && { sources: cited }),
    ...(waitedSeconds >= MIN_MENTIONED_SECONDS && { waitedSeconds }),
  };
}

/** The sentences of the rule that are broken. Empty if a mismatch belongs to none: then any source of the rule may be. */
function citedSources(mismatches: readonly Mismatch[], { sources }: Requirement): string[] {
  const cited = mismatches.map(({ source, expected, actual }) => {
    if (source !== undefined) return sources.includes(source) ? [source] : [];
    return sources.filter(({ about = [] }) => about.some((part) => `${expected} ${actual}`.includes(part)));
  });
  const rest = sources.filter(({ about }) => about === undefined);
  const broken = cited.map((found) => (found.length > 0 ? found : rest));
  const isKnown = broken.every(({ length }) => length > 0 && length < sources.length);
  return isKnown ? [...new Set(broken.flat().map(describeSource))] : [];
}

/** Each pair once, in order. */
function distinctDifferences(mismatches: readonly Mismatch[]): Difference[] {
  const pairs = mismatches.map(({ expected, actual }): Difference => ({ expected, actual }));
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
}

/** Ends with the exchange in which the mismatch occurred. */
function scriptOf({ before = [], concurrent = [], exchange }: Mismatch, redaction: Redaction): string {
  return curlScript([...before, [...concurrent, exchange]].map(scriptStep), redaction.placeholders);
}

function scriptStep(sent: Sent): ScriptStep {
  if ('opens' in sent) return { opens: sent.opens.request };
  if ('closes' in sent) return { closes: sent.closes.request };
  return exchangesOf(sent).map(({ request }) => request);
}

const distinct = (texts: readonly string[]): string => [...new Set(texts)].join('; ');
