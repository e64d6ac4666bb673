/** Counts what a case does: exchanges, checks, observations, and how responses match their schemas. */
import { bodyRequirement } from '../../spec/body-requirement.ts';
import type { ElementName, ShapeTally } from '../../spec/case-outcome.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { Counterexample, Observation } from '../../spec/verdicts.ts';
import { curlLine } from '../../spec/curl.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Redaction } from '../target/redaction.ts';
import type { Violation } from '../target/violation.ts';
import type { Round } from './choose-inputs.ts';
import type { UndeclaredResponse } from './obstacles.ts';
import type { Oracle, Reading } from './oracle.ts';
import { summarizeRequest } from './request-summary.ts';
import { countRequest, countResponse, newOracleCount } from './oracle-tally.ts';
import type { OracleCount } from './oracle-tally.ts';

/** What a case has done so far. Updated while it runs. */
export interface Tally {
  /** Checks and generated inputs. */
  tried: number;
  /** The first of the later rounds for which a property has inputs. */
  nextRound: Round | undefined;
  /** Whether inputs were skipped, because the time of the run was over. */
  isCut: boolean;
  /** Whether the responses that all cases need at the same time did not fit into memory. */
  isOutOfMemory: boolean;
  exchanges: number;
  /** The input of a replay, if it holds. */
  replayed: unknown;
  /** Whether the case may send nothing more: it took too long, or the time of the run is over. */
  isOver: boolean;
  /** Whether its outcome is decided although it has not returned: what it does now no longer counts. */
  isEnded: boolean;
  /** Whether it tests the inputs of a property, of which the first failing one in order counts. */
  isInProperty: boolean;
  /** What it has found, but may not have thrown: it may be looking for a smaller input, or restoring something. */
  violation: Violation | undefined;
  /** The exchanges that break the rule. Empty unless it failed. */
  evidence: readonly Exchange[];
  /** What would break the rule, but is of operations that are not declared. */
  undeclared: UndeclaredResponse[];
  /** Requests that may have changed something and have no response yet. Never rejects. */
  writes: Set<Promise<void>>;
  /** Inputs and checks that show nothing, with what was missing. */
  skippedInputs: Map<object, string>;
  /** Stands for the next check outside of properties. */
  check: object;
  /** Names that the case has drawn. */
  nameCount: number;
  observations: Observation[];
  shapes: { fitted: number; misfitted: number; misfits: Counterexample[] };
  exercised: ElementName[];
  oracle: OracleCount;
}

export const newTally = (): Tally => ({
  tried: 0,
  nextRound: undefined,
  isCut: false,
  isOutOfMemory: false,
  exchanges: 0,
  replayed: undefined,
  isOver: false,
  isEnded: false,
  isInProperty: false,
  violation: undefined,
  evidence: [],
  undeclared: [],
  writes: new Set(),
  skippedInputs: new Map(),
  check: {},
  nameCount: 0,
  observations: [],
  shapes: { fitted: 0, misfitted: 0, misfits: [] } satisfies ShapeTally,
  exercised: [],
  oracle: newOracleCount(),
});

/** Counterexamples recorded per case. */
const MAX_MISFITS = 3;

/** Returns the request, for which the outcome of a case that is cut waits. */
export function noteWrite<T>({ writes }: Tally, write: Promise<T>): Promise<T> {
  const end = (): void => void writes.delete(settled);
  const settled: Promise<void> = write.then(end, end);
  writes.add(settled);
  return write;
}

/** Returns the violation. What a case finds after it was cut does not count: its requests were refused. */
export function noteViolation(tally: Tally, violation: Violation): Violation {
  if (!tally.isOver) tally.violation ??= violation;
  return violation;
}

interface TallyContext {
  readonly seed: number;
  readonly redaction: Redaction;
  readonly oracle?: Oracle;
}

/** resources.shapes.fit-the-schema is decided for the whole run, from the success responses of documented operations. */
export function countShape(
  exchange: Exchange,
  rule: Requirement,
  { redaction, seed }: TallyContext,
  tally: Tally,
): void {
  const { response, shape, request } = exchange;
  const promised =
    exchange.operation && bodyRequirement(exchange.operation, { status: response.status, body: response.json });
  if (promised?.requirement !== 'resources.shapes.fit-the-schema') return;
  if (shape.length === 0) {
    tally.shapes.fitted += 1;
    return;
  }
  tally.shapes.misfitted += 1;
  if (tally.shapes.misfits.length >= MAX_MISFITS) return;
  const actual = shape.map(({ at, says }) => `${at === '' ? 'the body' : at} ${says}`).join('; ');
  const expected = `a response of ${exchange.operation} that matches its schema`;
  const input = { operation: exchange.operation, requirement: rule.id };
  tally.shapes.misfits.push({
    input,
    seed,
    path: '',
    curl: curlLine(request, redaction.placeholders),
    request: summarizeRequest(request),
    expected,
    actual,
  });
}

/** Returns what the oracle found in the response. Undefined without an oracle. */
export function consultOracle(
  exchange: Exchange,
  rule: Requirement,
  { oracle, redaction }: TallyContext,
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
