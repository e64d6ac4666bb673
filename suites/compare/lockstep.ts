/** Sends the steps of a sequence to two targets, both requests of a step at the same time, and compares the responses. */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { operation } from '../../spec/operations.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { saysNothing } from '../judge/judgement.ts';
import { eventually, isAwake, isSettled } from '../target/eventually.ts';
import type { Exchange } from '../target/exchange.ts';
import { NotTried } from '../target/violation.ts';
import { readMetrics } from '../kit/metrics/request.ts';
import { HarnessError } from '../target/transport.ts';
import { compareResponses, type Alike, type Difference } from './compare-responses.ts';
import { FILES, type Side } from './side.ts';
import type { Meanings, Step } from './step.ts';

export interface Sides {
  readonly a: Side;
  readonly b: Side;
  /** Whether both had the same usage within a window of the past, so that figures are compared there. Defaults to no. */
  readonly usage?: SharedUsage;
}

/** Whether two versions of one target are compared. */
export const areVersions = ({ a }: Sides): boolean => a.version !== undefined;

export interface SharedUsage {
  /** In milliseconds since the epoch. */
  readonly window: { readonly start: number; readonly end: number };
  /** Set by the first metrics with a cost. */
  isSame?: boolean;
}

/** What a step showed on both targets. */
export interface StepResult {
  readonly exchanges: { readonly a: Exchange; readonly b: Exchange };
  readonly differences: readonly Difference[];
  readonly alike: readonly Alike[];
  /** The rules that the exchange of only one target breaks. */
  readonly broken: { readonly a: readonly RequirementId[]; readonly b: readonly RequirementId[] };
}

/** `reason`: what a target lacks. `isSilent`: there was no response. */
export interface SkippedStep {
  readonly reason: string;
  readonly isSilent: boolean;
}

export const isSkipped = (result: StepResult | SkippedStep): result is SkippedStep => 'reason' in result;

export interface Lockstep {
  /** `number`: of the step in its sequence, for references. */
  play(number: number, step: Step): Promise<StepResult | SkippedStep>;
}

export interface LockstepOptions {
  /** How long a target may be busy, asleep or behind, in seconds. */
  readonly patienceSeconds: number;
  /** Whether a difference of this kind is known already, so that it need not persist. */
  readonly isKnown?: (step: Step, at: string) => boolean;
}

/** Begins a sequence with new names: no two sequences of a run have a name in common. */
export function beginSequence(
  sides: Sides,
  sequence: number,
  { patienceSeconds, isKnown = () => false }: LockstepOptions,
): Lockstep {
  const requestOf = (step: Step) => ({
    operation: step.operation,
    sent: step.body,
    hasSameUsage: sides.usage?.isSame === true && isWithin(step, sides.usage),
  });
  const meanings = { a: meaningsOf(sides.a, sequence), b: meaningsOf(sides.b, sequence) };

  /** If the two differ in many reads, waiting for each of them would take too long. */
  const waiting = { leftMs: patienceSeconds * 3000 };

  async function sendBoth(step: Step): Promise<{ a: Exchange; b: Exchange }> {
    const [a, b] = await Promise.all([sides.a.send(step, meanings.a), sides.b.send(step, meanings.b)]);
    if (a.response.status === b.response.status || areSettled(a, b)) return { a, b };
    const again = (side: 'a' | 'b', exchange: Exchange) =>
      isReady(exchange) ? exchange : eventually(() => sides[side].send(step, meanings[side]), isReady, patienceSeconds);
    const [laterA, laterB] = await Promise.all([again('a', a), again('b', b)]);
    return { a: laterA, b: laterB };
  }

  function compare(step: Step, { a, b }: { a: Exchange; b: Exchange }): Omit<StepResult, 'broken'> {
    const comparesVersions = areVersions(sides);
    const sideOf = ({ prefix, neutral, target: { account, client } }: Side, { response }: Exchange) => ({
      response,
      prefix,
      neutral,
      account,
      redirectUri: client?.redirectUri,
      comparesVersions,
    });
    return { exchanges: { a, b }, ...compareResponses(requestOf(step), sideOf(sides.a, a), sideOf(sides.b, b)) };
  }

  /** A read is repeated while it shows a new difference: one target may be slower to show a write. */
  async function whenPersistent(step: Step, first: Omit<StepResult, 'broken'>): Promise<Omit<StepResult, 'broken'>> {
    let result = first;
    const end = performance.now() + Math.min(patienceSeconds * 1000, waiting.leftMs);
    const begin = performance.now();
    while (mayRepeat(step) && result.differences.some(({ at }) => !isKnown(step, at)) && performance.now() < end) {
      await wait(PAUSE_MS);
      result = compare(step, await sendBoth(step));
    }
    if (result !== first) waiting.leftMs -= performance.now() - begin;
    return result;
  }

  return {
    async play(number, step) {
      try {
        const result = await whenPersistent(step, compare(step, await sendBoth(step)));
        const { a, b } = result.exchanges;
        noteUsage(sides, step, a, b);
        meanings.a.responses.set(number, a);
        meanings.b.responses.set(number, b);
        if (saysNothing(a.response.status) || saysNothing(b.response.status))
          return { reason: `status ${a.response.status} and ${b.response.status}: a target is busy`, isSilent: false };
        const [brokenByA, brokenByB] = [sides.a.judge(a), sides.b.judge(b)];
        return {
          ...result,
          broken: {
            a: brokenByA.filter((rule) => !brokenByB.includes(rule)),
            b: brokenByB.filter((rule) => !brokenByA.includes(rule)),
          },
        };
      } catch (error) {
        if (error instanceof NotTried) return { reason: error.message, isSilent: false };
        if (error instanceof HarnessError) return { reason: error.message, isSilent: true };
        throw error;
      }
    },
  };
}

const PAUSE_MS = 1000;

/** If the first metrics with a cost are the same, one target is a copy of the other, or the other itself. */
function noteUsage({ usage }: Sides, step: Step, a: Exchange, b: Exchange): void {
  if (usage === undefined || usage.isSame !== undefined || !isWithin(step, usage)) return;
  const [first, second] = [readMetrics(a.response.json), readMetrics(b.response.json)];
  if (first === undefined || second === undefined || (first.summary.totalCost === 0 && second.summary.totalCost === 0))
    return;
  usage.isSame = isDeepStrictEqual(first.summary, second.summary);
}

/** Usage before and after may depend on when a target was set up. */
const isWithin = ({ operation: id, query = {} }: Step, { window }: SharedUsage): boolean =>
  id === 'getAccountMetrics' &&
  Date.parse(query['startTime'] ?? '') >= window.start &&
  Date.parse(query['endTime'] ?? '') <= window.end;

const isReady = (exchange: Exchange): boolean => isSettled(exchange) && isAwake(exchange);
const areSettled = (a: Exchange, b: Exchange): boolean => isReady(a) && isReady(b);

/** Reads, and queries of workloads: repeating one changes nothing that the sequence depends on. */
const mayRepeat = (step: Step): boolean =>
  operation(step.operation).method === 'GET' || operation(step.operation).surface === 'inference';

function meaningsOf({ prefix, own }: Side, sequence: number): Meanings & { responses: Map<number, Exchange> } {
  return {
    nameAt(what) {
      const [number = '', length = '0'] = what.split(' of ');
      const name = number === FILES ? `${prefix}${FILES}` : `${prefix}${sequence.toString(36)}-${number}`;
      return name.padEnd(Number(length), 'a');
    },
    own,
    responses: new Map(),
  };
}
