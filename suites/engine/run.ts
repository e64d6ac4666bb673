/** The API of a case: its rule, the target, clients for each caller, and methods that report what it found. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mayChangeTarget, type Requirement } from '../../spec/requirements/requirement.ts';
import { requirements, type ObserveId } from '../../spec/requirements/index.ts';
import { renderObservation, type ObservedValue, type ObservedWhat } from '../../spec/observations/observation.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import type { ElementTracker } from './exercised-elements.ts';
import type { Round } from './choose-inputs.ts';
import type { FixedInputOptions, ForAllOptions, Inputs, Property, PropertyResult, PropertyRun } from './for-all.ts';
import { forAll, forEach } from './for-all.ts';
import type { Cursors } from './cursors.ts';
import { withResponseCache, type ResponseCache } from './response-cache.ts';
import { usedResources } from './locks.ts';
import type { SharedResource, Slots } from './locks.ts';
import { sortMismatches } from './other-causes.ts';
import { priorityOf } from './priority.ts';
import type { Oracle, Reading } from './oracle.ts';
import type { MissingOperations } from './missing-operations.ts';
import type { RunJudging } from './run-judging.ts';
import { callerOf, isUnrestricted, strongestCaller } from './callers.ts';
import type { CallerName } from './callers.ts';
import { countSkipped } from './oracle-tally.ts';
import { consultOracle, countShape, noteViolation, noteWrite } from './tally.ts';
import type { Tally } from './tally.ts';
import { createClient, sendCreate, willCreate } from '../target/client.ts';
import type { Client, FailedRequest } from '../target/client.ts';
import type { Caller, CallInput } from '../target/request-types.ts';
import { isCreatedByRun } from '../target/creations.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Change, Creation, Ledger } from '../target/ledger.ts';
import { withRunLabel } from '../target/run-label.ts';
import type { Redaction } from '../target/redaction.ts';
import type { Blocks } from '../target/blocks.ts';
import type { Refusals } from '../target/refusals.ts';
import type { Target } from '../target/target.ts';
import type { Tokens } from '../target/token.ts';
import { refusalAsNotTried } from '../target/refusal-as-not-tried.ts';
import { noteWait, waitedSecondsFor } from '../target/eventually.ts';
import { HarnessError } from '../target/transport.ts';
import type { Transport } from '../target/transport.ts';
import { NotTried, OperationsMissing, Violation } from '../target/violation.ts';
import type { Mismatch } from '../target/violation.ts';
import { prefixOf, unknownNameOf } from './run-prefix.ts';

/** Starts no further rules after this many failed ones. */
export interface Bail {
  failures: number;
  /** Rules that may fail, so that their failures do not count. */
  except: readonly string[];
}

/** What the cases of a run share. */
export interface RunContext {
  target: Target;
  seed: number;
  /** Inputs per property. */
  runs: number;
  /** Requests that are sent at the same time. */
  concurrency: number;
  /** Rounds of each case at most. Defaults to all. */
  maxRounds?: number;
  /** When to start no further rules. Defaults to never. */
  bail?: Bail;
  /** Whether no further input may be tested, because the time of the run is over. */
  isTimeUp?: () => boolean;
  /** Whether the time is limited from the beginning. Defaults to false. */
  isTimeLimited?: boolean;
  /** Resolves a moment after the time is up: cases that have not ended are cut. They send nothing more; only their pending writes are awaited. */
  cutOff?: Promise<void>;
  /** Called with the inputs of all rounds of a property, in order, before those of one round are tested. */
  onInputs?: (id: string, property: number, inputs: readonly unknown[]) => void;
  /** How long a case waits for a write to take effect. */
  patienceSeconds: number;
  runId: string;
  /** Whether other shards test other rules at the same time. */
  isShard?: boolean;
  transport: Transport;
  redaction: Redaction;
  refusals: Refusals;
  blocks: Blocks;
  tokens: Tokens;
  elements: ElementTracker;
  cursors: Cursors;
  /** Of reads that several rules need. */
  responses: ResponseCache;
  nextNumber: () => number;
  record?: (exchange: Exchange | FailedRequest, number: number, rule: Requirement, reading?: Reading) => void;
  /** Called when a rule is judged by an exchange of another rule. */
  reuse?: (exchange: Exchange, rule: Requirement) => void;
  /** Called when a round of a case has ended. */
  endRound?: (rule: Requirement) => void;
  /** Called when a case has ended. `isWaiting`: so far, its failure only shows that the target lacks an operation. */
  endCase?: (rule: Requirement, verdict: RuleResult['verdict'], isWaiting?: boolean) => void;
  /** Absent unless responses are also validated by a second validator. */
  oracle?: Oracle;
  /** Judges every exchange by the rules that it concerns, whichever rule sent it. Absent if only their own cases count. */
  judging?: RunJudging;
  /** Finds operations that the target does not have. Absent if their rules fail like any other. */
  missingOperations?: MissingOperations;
  /** Absent in a run that only reads. */
  ledger?: Ledger;
  /** Identifies the run for values that its cases share. */
  shared: object;
  /** Absent unless one counterexample is replayed. */
  replay?: Replayed;
}

/** What a case of a schedule may do with the resources that cases share. */
export interface Places {
  /** Lets this many cases use a resource at the same time: it exists more than once. */
  widen(resource: SharedResource, capacity: number): void;
  /** Whether another case waits for a resource. */
  isAwaited(resource: SharedResource): boolean;
}

/** One execution of the code of a case. */
export interface Execution {
  /** The inputs to test. Absent: all. */
  readonly round?: Round;
  readonly slots: Slots;
  readonly places: Places;
}

/** A case that runs alone. */
export const aloneWithAllInputs: Execution = { slots: {}, places: { widen: () => {}, isAwaited: () => false } };

/** The one input to which a property is limited. */
export interface Replayed {
  /** The property's position in the case, from 1. */
  property: number;
  /** fast-check's path to the input. */
  path: string;
}

export type Needed<T> = Exclude<T, undefined | null | false>;

export interface Run<R extends Requirement = Requirement> extends Places {
  readonly rule: R;
  readonly target: Target;
  readonly seed: number;
  /** Inputs per property. */
  readonly runs: number;
  /** Whether other shards of the run test other rules, possibly at the same time. */
  readonly isShard: boolean;
  /** Whether the run ends after the first round, with few requests per case. */
  readonly isQuick: boolean;
  /** The longest wait for a write to take effect, such as a deployment or an event of a watch. */
  readonly patienceSeconds: number;
  /** `assay-<run>-`: the prefix of every name that the run creates. */
  readonly prefix: string;
  /** What nothing on the target is ever called, in requests that should be refused. The run sends each of them only once. */
  readonly unknownName: string;
  /**
   * Sends the target's strongest credential: admin, otherwise apiKey, and so on. Credentials other than these two may lack
   * permissions that a rule assumes, so their refusals (401, 403) are thrown as NotTried.
   */
  readonly client: Client;
  /** For credentials that a case sends itself. Those of a caller are counted by its client. */
  readonly refusals: Refusals;
  /** For cases that use cursors again. Clients renew those that are refused. */
  readonly cursors: Pick<Cursors, 'alone'>;
  /** For cases that derive a value from a token. Clients renew tokens themselves. */
  readonly tokens: Tokens;
  /** The same object in all cases of a run: identifies the run for values that they share (see shared-values.ts). */
  readonly shared: object;
  /** Throws NotTried if the target does not have the credential. */
  as(caller: CallerName): Client;
  /** A new unique name with the run's prefix, at most 49 characters long. */
  newName(): string;
  /** Records in the ledger a creation that `client.call` does not recognize, and the outcome of the request. */
  create(creation: Creation, sendRequest: () => Promise<Exchange>): Promise<Exchange>;
  /** Records in the ledger how to restore a resource that the run did not create and is about to change. */
  willChange(change: Change): void;
  /** For an input that shows nothing, because the target lacks this. If that is true of all inputs, the rule is not tried. */
  skipInput(missing: string): Mismatch[];
  /** How many more resources this operation may create. Infinity once the target has removed one of them. */
  mayCreate(id: OperationId): number;
  /** Counts as tried. Throws a Violation with all mismatches if there are any. */
  check(...findings: (readonly Mismatch[])[]): void;
  forAll<T extends object>(
    inputs: Inputs<T>,
    property: Property<T>,
    options?: ForAllOptions<NoInfer<T>>,
  ): Promise<void>;
  /**
   * Tests fixed inputs. Like `forAll`, it tests only the inputs of the current round, so that
   * a request outside of both is sent once per round.
   */
  forEach<T>(items: readonly T[], property: Property<T>, options?: FixedInputOptions<NoInfer<T>>): Promise<void>;
  /** Which of several interchangeable ones the case uses, from 0. Throws if its rule does not use the resource (locks.ts). */
  slotOf(resource: SharedResource): number;
  /** Records what the target does at a point of `spec/observations`, which has to be one of this rule. */
  observe<What extends ObservedWhat>(what: What, value: ObservedValue<What>): void;
  /**
   * Returns the value; throws NotTried(what) if it is false, 0, an empty string or absent. An array does not compile, because
   * an empty one would be accepted: pass its length.
   */
  need<T>(value: [T] extends [readonly unknown[]] ? never : T, what: string): Needed<T>;
}

/** What the clients of a case record. */
function clientParts(rule: Requirement, context: RunContext, tally: Tally) {
  return {
    ...context,
    priority: priorityOf(rule, context.target),
    isOver: () => tally.isOver,
    noteWrite: (write: Promise<Exchange>) => noteWrite(tally, write),
    record: (exchange: Exchange, number: number) => {
      if (tally.isEnded) return;
      tally.exchanges += 1;
      const isOwn = isDeclared(exchange, context.target);
      if (isOwn) countShape(exchange, rule, context, tally);
      tally.exercised.push(...context.elements.newlyExercised(exchange));
      const reading = isOwn ? consultOracle(exchange, rule, context, tally) : undefined;
      if (!isOwn) countSkipped(tally.oracle, 'its operation is not selected');
      context.record?.(exchange, number, rule, reading);
      context.judging?.see(exchange, rule.id);
      context.missingOperations?.see(exchange, rule);
    },
    recordFailure: (failure: FailedRequest, number: number) => {
      if (tally.isEnded) return;
      tally.exchanges += 1;
      countSkipped(tally.oracle, 'no answer came');
      context.record?.(failure, number, rule);
    },
    ...ledgerParts(context),
  };
}

/** Whether the target has the operation, as far as its user declares. */
const isDeclared = ({ operation }: Exchange, { operations }: Target): boolean =>
  operation === undefined || operations?.includes(operation) !== false;

/** What a client may write, and how it records that. Records only what can be found again by its name. */
export const ledgerParts = (context: RunContext) => ({
  mayWrite: context.target.allow !== 'read',
  willCreate: (creation: Creation) => ledgerOf(context).willCreate(creation),
  mightCreate: (creation: Creation) =>
    isCreatedByRun(creation, prefixOf(context.runId)) ? ledgerOf(context).mightCreate(creation) : undefined,
  willRemove: (id: OperationId, path: Record<string, string>) => context.ledger?.willRemove(id, path),
  willUpdate: (id: OperationId, path: Record<string, string>) => context.ledger?.willUpdate(id, path),
  addRunLabel: (id: OperationId, input: CallInput) =>
    context.ledger?.isChanged(id, input.path ?? {}) === true ? withRunLabel(input, context.runId) : input,
});

type TestProperty = (own: PropertyRun) => Promise<PropertyResult>;

/** Numbers the properties of a case, and counts their inputs. */
function propertyRunner(
  rule: Requirement,
  context: RunContext,
  tally: Tally,
  round: Round | undefined,
): (test: TestProperty) => Promise<void> {
  const { seed, runs, replay } = context;
  const concurrency = mayChangeTarget(rule) ? 1 : context.concurrency;
  const isFirst = round !== undefined && rule.level === 'must' && tally.tried === 0;
  let properties = 0;
  return async (test) => {
    const number = (properties += 1);
    const { isTimeUp, cutOff, onInputs } = context;
    const path = replay?.property === number ? replay.path : undefined;
    // The others passed at least their first round before the counterexample was found.
    const ownRound = replay === undefined || path !== undefined ? round : 1;
    tally.isInProperty = true;
    const pending = test({
      seed,
      runs,
      number,
      concurrency,
      maxConcurrency: context.concurrency,
      drawSeed: seed + numberOf(rule.id),
      ...(rule.level === 'observe' && { testsAllExamples: true }),
      ...(path && { path }),
      isFirst,
      onFailure: (violation) => noteViolation(tally, violation),
      ...(ownRound && { round: ownRound }),
      ...(isTimeUp && { isTimeUp }),
      ...(cutOff && { cutOff }),
      ...(onInputs && { onInputs: (inputs) => onInputs(rule.id, number, inputs) }),
    });
    const { tried, nextRound, isCut, replayed } = await pending.finally(() => (tally.isInProperty = false));
    tally.tried += tried;
    tally.isCut ||= isCut;
    tally.replayed ??= replayed;
    if (nextRound !== undefined && replay === undefined)
      tally.nextRound = Math.min(nextRound, tally.nextRound ?? nextRound) as Round;
  };
}

export function createRun<R extends Requirement>(
  rule: R,
  context: RunContext,
  tally: Tally,
  { round, slots, places }: Execution = aloneWithAllInputs,
): Run<R> {
  const { target, seed, runs, refusals, tokens, cursors } = context;
  const prefix = prefixOf(context.runId);
  const unknownName = unknownNameOf(prefix);
  const parts = clientParts(rule, context, tally);
  const inProperty = propertyRunner(rule, context, tally, round);
  const sendingClientOf = (caller: Caller): Client =>
    withResponseCache(context.cursors.renewing(createClient(parts, caller)), context.responses, {
      target,
      caller,
      rule: rule.id,
      unknownName,
      onReuse(exchange) {
        context.reuse?.(exchange, rule);
        context.missingOperations?.see(exchange, rule);
      },
    });
  const clientOf = (caller: Caller): Client => unlessMissing(sendingClientOf(caller), rule, context);
  const as = (name: CallerName): Client => clientOf(callerOf(name, target));
  const asOwn = <T>(property: Property<T>): Property<T> => asInput(run, tally, property);
  const run: Run<R> = {
    rule,
    target,
    seed,
    runs,
    isShard: context.isShard === true,
    isQuick: context.maxRounds === 1,
    patienceSeconds: context.patienceSeconds,
    prefix,
    unknownName,
    get client() {
      const caller = strongestCaller(target);
      const client = clientOf(caller);
      return isUnrestricted(target) ? client : refusalAsNotTried(client, caller.bearer === undefined);
    },
    shared: context.shared,
    refusals,
    tokens,
    cursors,
    as,
    newName: () => `${prefix}${numberOf(rule.id).toString(36)}-${(tally.nameCount += 1).toString(36)}`,
    create: (creation, sendRequest) =>
      noteWrite(
        tally,
        willCreate(parts, creation).then((created) => sendCreate(created, sendRequest)),
      ),
    willChange: (change) => ledgerOf(context).willChange(change),
    mayCreate: (id) => (target.allow === 'read' ? 0 : ledgerOf(context).mayCreate(id)),
    check(...findings) {
      const mismatches = findings.flat();
      tally.tried += 1;
      tally.check = {};
      if (mismatches.length === 0) return;
      const violation = new Violation(mismatches);
      throw tally.isInProperty ? violation : noteViolation(tally, violation);
    },
    skipInput(missing) {
      const input = currentInput.getStore() ?? tally.check;
      if (!tally.skippedInputs.has(input)) tally.skippedInputs.set(input, missing);
      return [];
    },
    forAll: (inputs, property, options) => inProperty((own) => forAll(own, inputs, asOwn(property), options)),
    forEach: (items, property, options) => inProperty((own) => forEach(own, items, asOwn(property), options)),
    slotOf(resource) {
      if (target.allow === 'read' || usedResources(rule, target).includes(resource)) return slots[resource] ?? 0;
      throw new Error(
        `The case of ${rule.id} uses ${resource}, but its operations and needs do not say so (locks.ts).`,
      );
    },
    ...places,
    observe: (what, value) => void tally.observations.push(renderObservation(rule.id as ObserveId, what, value)),
    need,
  };
  return run;
}

/** Ends the case when the target certainly has none of the operations of its rule, because all that it sends shows the same. */
function unlessMissing(client: Client, rule: Requirement, { missingOperations }: RunContext): Client {
  async function ended(sent: Promise<Exchange>): Promise<Exchange> {
    const exchange = await sent;
    const unknownPath = missingOperations?.unknownPathLike(exchange);
    const control = unknownPath && (await undefinedIfNone(client.send(unknownPath)));
    if (control !== undefined) missingOperations?.seeUnknownPath(control);
    if (missingOperations?.areMissing(rule) === true) throw new OperationsMissing(exchange);
    return exchange;
  }
  return {
    ...client,
    call: (...input) => ended(client.call(...input)),
    send: (raw) => ended(client.send(raw)),
    async open(...input) {
      const stream = await client.open(...input);
      return { ...stream, close: () => ended(stream.close()) };
    },
  };
}

/** Undefined without a response, or if nothing more may be sent: the response that the case has got is judged without it. */
async function undefinedIfNone(sent: Promise<Exchange>): Promise<Exchange | undefined> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof HarnessError || error instanceof NotTried) return undefined;
    throw error;
  }
}

/** A new object for each tested input: a property may test several of them at the same time. */
const currentInput = new AsyncLocalStorage<object>();

function asInput<T>(run: Run, tally: Tally, property: Property<T>): Property<T> {
  let longestWait = 0;
  return async (input) => {
    const found = await currentInput.run({}, () => ownMismatches(run, tally, async () => property(input)));
    longestWait = Math.max(longestWait, ...found.map(({ exchange }) => waitedSecondsFor(exchange) ?? 0));
    // Smaller inputs are sent without the wait that the first one had.
    for (const { exchange } of found) if (longestWait > 0) noteWait(exchange, longestWait);
    return found;
  };
}

/** What breaks the rule itself. An input that only breaks others shows nothing. */
async function ownMismatches(
  run: Run,
  tally: Tally,
  judge: () => Promise<readonly Mismatch[]>,
): Promise<readonly Mismatch[]> {
  const { own, cause } = await sortMismatches(run, await judge().catch(mismatchesOf), tally);
  return cause === undefined || own.length > 0 ? own : run.skipInput(cause.missing);
}

function mismatchesOf(error: unknown): readonly Mismatch[] {
  if (error instanceof Violation) return error.mismatches;
  throw error;
}

function need<T>(value: T, what: string): Needed<T> {
  if (!value) throw new NotTried(what);
  return value as Needed<T>;
}

const numberOf = (id: string): number => requirements.findIndex((each) => each.id === id) + 1;

function ledgerOf({ ledger }: RunContext): Ledger {
  if (ledger === undefined) throw new Error('A run that may write needs a ledger.');
  return ledger;
}
