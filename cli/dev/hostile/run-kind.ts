/** Sends the attacks of a kind, a fixed number at a time, and counts the outcomes. */
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Attack, Kind, Outcome } from './attack.ts';

/** Something that must not happen. */
export interface Violation {
  readonly kind: string;
  readonly what: string;
  /** Such as "status 500" or "no response". */
  readonly problem: string;
  /** The position of the attack's first request in the run: where to resume. */
  readonly at: number;
  /** Of the attacks with this seed, the one with this index. */
  readonly seed: number;
  readonly index: number;
  readonly command: string;
}

export interface Tally {
  requests: number;
  /** Responses with 503, which the documents allow: a workload that is not serving, a world that is gone. */
  documented503: number;
  /** Attacks whose connection the mock closed before it had responded. */
  closed: number;
  readonly serverErrors: Map<string, number>;
  readonly hangs: Map<string, number>;
  /** The first of each problem. */
  readonly violations: Violation[];
}

export interface Span {
  /** Of the whole run. */
  readonly seed: number;
  /** Positions of requests in the run: `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Attacks are drawn in batches of their own seed, so that a run can begin at any of them. */
const BATCH_REQUESTS = 400;
const RAMP_MS = 2;

/** Batches start at multiples of their size: a run that begins inside of one skips what comes before. */
export async function runKind(
  kind: Kind,
  { seed, from, to }: Span,
  onBatch: (position: number) => Promise<void> = async () => {},
): Promise<Tally> {
  const tally: Tally = {
    requests: 0,
    documented503: 0,
    closed: 0,
    serverErrors: new Map(),
    hangs: new Map(),
    violations: [],
  };
  let started = Promise.resolve();
  const next = eachAttack(kind, { seed, from, to }, (position) => {
    started = started.then(() => onBatch(position));
  });
  const worker = async (number: number) => {
    // Otherwise the first requests of a thousand clients would arrive at the same time.
    await wait(number * RAMP_MS);
    for (const { attack, place } of next) {
      await started;
      count(tally, attack, await attack.send(), place);
      tally.requests += kind.requestsPerAttack;
    }
  };
  await Promise.all(Array.from({ length: kind.concurrency }, (_, number) => worker(number)));
  return tally;
}

interface PositionedAttack {
  readonly attack: Attack;
  readonly place: Place;
}

function* eachAttack(
  kind: Kind,
  { seed, from, to }: Span,
  onBatch: (position: number) => void,
): Generator<PositionedAttack> {
  const { name, attacks, requestsPerAttack } = kind;
  for (let start = from - (from % BATCH_REQUESTS); start < to; start += BATCH_REQUESTS) {
    const batchSeed = seedOf(seed, start);
    const batch = fc.sample(attacks, { seed: batchSeed, numRuns: BATCH_REQUESTS / requestsPerAttack });
    onBatch(start);
    for (const [index, attack] of batch.entries()) {
      const at = start + index * requestsPerAttack;
      if (at >= from && at < to) yield { attack, place: { kind: name, at, seed: batchSeed, index } };
    }
  }
}

/** Different for each batch; 32 bits. */
export const seedOf = (seed: number, position: number): number => (Math.imul(seed + 1, 0x9e3779b1) ^ position) | 0;

type Place = Pick<Violation, 'kind' | 'at' | 'seed' | 'index'>;

function count(tally: Tally, attack: Attack, { statuses, hangs, isClosed }: Outcome, place: Place): void {
  const { what } = attack;
  if (isClosed) tally.closed += 1;
  const note = (counts: Map<string, number>, problem: string) => {
    const before = counts.get(what) ?? 0;
    counts.set(what, before + 1);
    if (before === 0) tally.violations.push({ ...place, what, problem, command: attack.describe() });
  };
  tally.documented503 += statuses.filter((status) => status === 503).length;
  for (const status of statuses) if (status >= 500 && status !== 503) note(tally.serverErrors, `status ${status}`);
  if (hangs) note(tally.hangs, 'no response');
}

export const isBroken = ({ statuses, hangs }: Outcome): boolean =>
  hangs || statuses.some((status) => status >= 500 && status !== 503);
