/** What a case gets: its rule, the target, clients for every caller, and the ways to say what it found. */
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { Counterexample, Observation } from '../../spec/verdicts.ts';
import type { ObserveId, RequirementId } from '../../spec/requirements/index.ts';
import type { ShapeTally } from '../../spec/case-outcome.ts';
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { bodyRequirement } from '../../spec/body-requirement.ts';
import type { OperationId, Scope } from '../../spec/operations.ts';
import type { ForAllOptions, Inputs, Property } from './for-all.ts';
import { forAll } from './for-all.ts';
import type { Oracle, Reading } from './oracle.ts';
import { countResponse, countSkipped, countRequest, newOracleCount } from './oracle-tally.ts';
import type { OracleCount } from './oracle-tally.ts';
import { createClient } from '../target/client.ts';
import type { Client, FailedRequest } from '../target/client.ts';
import type { CallInput, Caller } from '../target/request-types.ts';
import { isCreatedByRun } from '../target/creations.ts';
import { curlLine } from '../target/curl.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Change, Creation, Ledger, Pending } from '../target/ledger.ts';
import { withRunLabel } from '../target/run-label.ts';
import type { Redaction } from '../target/redaction.ts';
import type { Refusals } from '../target/refusals.ts';
import { isJwt } from '../target/target.ts';
import type { Secret, Target } from '../target/target.ts';
import type { Tokens } from '../target/token.ts';
import { refusalAsNotTried } from '../target/refusal-as-not-tried.ts';
import type { Transport } from '../target/transport.ts';
import { NotTried, Violation } from '../target/violation.ts';
import type { Mismatch } from '../target/violation.ts';

/** Who a case may call as; a token is sent as it is. */
export type CallerName = CredentialName | 'none' | { scoped: Scope } | { token: string };

/** What all cases of one run share. */
export interface RunContext {
  target: Target;
  seed: number;
  /** Inputs per property. */
  runs: number;
  /** How long a case waits for what may take effect later. */
  patienceSeconds: number;
  runId: string;
  /** Other shards try other rules at the same time. */
  isShard?: boolean;
  transport: Transport;
  redaction: Redaction;
  refusals: Refusals;
  tokens: Tokens;
  nextNumber: () => number;
  record?: (exchange: Exchange | FailedRequest, number: number, rule: Requirement, reading?: Reading) => void;
  /** Left out where the documents have one reader only, ours. */
  oracle?: Oracle;
  /** Left out where nothing can be created: a run that only reads. */
  ledger?: Ledger;
  /** Identifies the run for values that its cases share. */
  shared: object;
  /** Left out where every property tries inputs of its own. */
  replay?: Replayed;
}

/** One property of a case that tries nothing but the input at the path. */
export interface Replayed {
  /** Counted from 1 in the order of the case. */
  property: number;
  /** As fast-check gave it. */
  path: string;
}

export type Needed<T> = Exclude<T, undefined | null | false>;

export interface Run<R extends Requirement = Requirement> {
  readonly rule: R;
  readonly target: Target;
  readonly seed: number;
  /** Inputs per property. */
  readonly runs: number;
  /** Whether other shards of the run try other rules, maybe at the same time. */
  readonly isShard: boolean;
  /** How long to wait, at most, for a write to take effect: a deployment, a line of a watch. */
  readonly patienceSeconds: number;
  /** `assay-<run>-`: how the name of everything begins that the run creates. */
  readonly prefix: string;
  /**
   * Calls with the strongest credential there is: admin, else apiKey, and so on. Any other than these two may lack what a
   * rule takes for granted: its refusal (401, 403) is thrown as NotTried.
   */
  readonly client: Client;
  /** Of credentials that a case sends otherwise than as the bearer of a caller; a caller's own are counted by its client. */
  readonly refusals: Refusals;
  /** For what a case makes out of a token of the target; clients send a valid one by themselves. */
  readonly tokens: Tokens;
  /** The same object in all cases of a run: identifies the run for values that they share (see shared-values.ts). */
  readonly shared: object;
  /** Throws NotTried where the target has no such credential. */
  as(caller: CallerName): Client;
  /** A name with the run's prefix that was not given before, at most 49 characters. */
  newName(): string;
  /** Writes to the ledger what is about to be created where `client.call` does not do so by itself. */
  created(creation: Creation): Pending;
  /** Writes to the ledger how to put back what the run did not create and is about to change. */
  willChange(change: Change): void;
  /** How many more things this operation may create; Infinity once the target has removed one of them. */
  mayCreate(id: OperationId): number;
  /** Counts as tried; throws a Violation with every mismatch if there is any. */
  check(...findings: (readonly Mismatch[])[]): void;
  forAll<T extends object>(
    inputs: Inputs<T>,
    property: Property<T>,
    options?: ForAllOptions<NoInfer<T>>,
  ): Promise<void>;
  observe(what: string, saw: string): void;
  /**
   * Gives the value back; throws NotTried(what) where it is false, 0, an empty text or absent. A list by itself does not
   * compile: an empty one would do, so ask for its length.
   */
  need<T>(value: [T] extends [readonly unknown[]] ? never : T, what: string): Needed<T>;
}

/** What a case has done so far; grows while it runs. */
export interface Tally {
  /** Checks and generated inputs. */
  tried: number;
  exchanges: number;
  observations: Observation[];
  shapes: { fitted: number; misfitted: number; misfits: Counterexample[] };
  oracle: OracleCount;
}

export const newTally = (): Tally => ({
  tried: 0,
  exchanges: 0,
  observations: [],
  shapes: { fitted: 0, misfitted: 0, misfits: [] } satisfies ShapeTally,
  oracle: newOracleCount(),
});

const credentialsByStrength = ['admin', 'apiKey', 'workspaceAdmin', 'member', 'unrelated'] as const;
const MAX_MISFITS = 3;

export const prefixOf = (runId: string): string => `assay-${runId}-`;

export function createRun<R extends Requirement>(rule: R, context: RunContext, tally: Tally): Run<R> {
  const { target, seed, runs, replay, refusals, tokens } = context;
  let properties = 0;
  const prefix = prefixOf(context.runId);
  const parts = {
    ...context,
    mayWrite: target.allow !== 'read',
    record: (exchange: Exchange, number: number) => {
      tally.exchanges += 1;
      countShape(exchange, rule, context, tally);
      const reading = consultOracle(exchange, rule, context, tally);
      context.record?.(exchange, number, rule, reading);
    },
    recordFailure: (failure: FailedRequest, number: number) => {
      tally.exchanges += 1;
      countSkipped(tally.oracle, 'no answer came');
      context.record?.(failure, number, rule);
    },
    // Nothing is created that could not be found again.
    willCreate: (creation: Creation) => ledgerOf(context).willCreate(creation),
    mightCreate: (creation: Creation) =>
      isCreatedByRun(creation, prefix) ? ledgerOf(context).mightCreate(creation) : undefined,
    willRemove: (id: OperationId, path: Record<string, string>) => context.ledger?.willRemove(id, path),
    marked: (id: OperationId, input: CallInput) =>
      context.ledger?.isChanged(id, input.path ?? {}) === true ? withRunLabel(input, context.runId) : input,
  };
  const as = (name: CallerName): Client => createClient(parts, callerOf(name, target));
  return {
    rule,
    target,
    seed,
    runs,
    isShard: context.isShard === true,
    patienceSeconds: context.patienceSeconds,
    prefix,
    get client() {
      const client = createClient(parts, strongestCaller(target));
      return isUnrestricted(target) ? client : refusalAsNotTried(client);
    },
    shared: context.shared,
    refusals,
    tokens,
    as,
    newName: () => `${prefix}${(nameCount += 1).toString(36)}`,
    created: parts.willCreate,
    willChange: (change) => ledgerOf(context).willChange(change),
    mayCreate: (id) => (target.allow === 'read' ? 0 : ledgerOf(context).mayCreate(id)),
    check(...findings) {
      tally.tried += 1;
      const mismatches = findings.flat();
      if (mismatches.length > 0) throw new Violation(mismatches);
    },
    async forAll(inputs, property, options) {
      const number = (properties += 1);
      const path = replay?.property === number ? replay.path : undefined;
      tally.tried += await forAll({ seed, runs, number, ...(path && { path }) }, inputs, property, options);
    },
    observe: (what, saw) => void tally.observations.push({ id: rule.id as ObserveId, what, saw }),
    need<T>(value: T, what: string) {
      if (!value) throw new NotTried(what);
      return value as Needed<T>;
    },
  };
}

let nameCount = 0;

function ledgerOf({ ledger }: RunContext): Ledger {
  if (ledger === undefined) throw new Error('A run that may write has no ledger.');
  return ledger;
}

const isUnrestricted = ({ credentials: { admin, apiKey } }: Target): boolean => (admin ?? apiKey) !== undefined;

/** Of those that have a name; none where there are at most scoped ones. */
export const strongestCredentialName = ({ credentials }: Target): CredentialName | undefined =>
  credentialsByStrength.find((name) => credentials[name] !== undefined);

/** No credential at all where the target has none. */
export function strongestCaller(target: Target): Caller {
  const name = strongestCredentialName(target);
  if (name !== undefined) return callerOf(name, target);
  const [secret] = Object.values(target.credentials.scoped);
  return secret === undefined ? {} : callerWith(secret, false);
}

function callerOf(name: CallerName, { credentials }: Target): Caller {
  if (name === 'none') return {};
  if (typeof name === 'object' && 'token' in name) return { bearer: name.token };
  const secret = typeof name === 'object' ? credentials.scoped[name.scoped] : credentials[name];
  if (secret === undefined)
    throw new NotTried(typeof name === 'object' ? `scope:${name.scoped}` : `the credential ${name}`);
  const letsIn = typeof name === 'string' && name !== 'unrelated';
  return callerWith(secret, letsIn);
}

const callerWith = ({ value, name }: Secret, letsIn: boolean): Caller => ({
  bearer: value,
  credential: { name, canAuthenticate: letsIn },
  isApiKey: !isJwt(value),
});

/** resources.shapes.fit-the-schema is judged over the whole run: success answers of documented operations. */
function countShape(exchange: Exchange, rule: Requirement, { redaction, seed }: RunContext, tally: Tally): void {
  const { answer, shape, request } = exchange;
  const promised =
    exchange.operation && bodyRequirement(exchange.operation, { status: answer.status, body: answer.json });
  if (promised?.requirement !== 'resources.shapes.fit-the-schema') return;
  if (shape.length === 0) {
    tally.shapes.fitted += 1;
    return;
  }
  tally.shapes.misfitted += 1;
  if (tally.shapes.misfits.length >= MAX_MISFITS) return;
  const actual = shape.map(({ at, says }) => `${at === '' ? 'the body' : at} ${says}`).join('; ');
  const expected = `an answer of ${exchange.operation} that fits its schema`;
  const input = { operation: exchange.operation, requirement: rule.id };
  tally.shapes.misfits.push({
    input,
    seed,
    path: '',
    curl: curlLine(request, redaction.placeholders),
    expected,
    actual,
  });
}

/** Gives back what it said of the answer. */
function consultOracle(
  exchange: Exchange,
  rule: Requirement,
  { oracle, redaction }: RunContext,
  tally: Tally,
): Reading | undefined {
  if (oracle === undefined) return undefined;
  const describe = () => ({
    requirement: rule.id as RequirementId,
    curl: curlLine(exchange.request, redaction.placeholders),
  });
  const reading = oracle.readResponse(exchange);
  countResponse(tally.oracle, exchange, reading, describe);
  countRequest(tally.oracle, exchange, oracle.readRequest(exchange), describe);
  return reading;
}
