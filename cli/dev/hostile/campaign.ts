/** A run of all kinds of hostile traffic against a mock in its own process, measured by a second client in another one. */
import type { AttackedMock, Kind } from './attack.ts';
import { startChild, type Child } from './child.ts';
import { controlKind } from './control-attacks.ts';
import { malformedKind } from './malformed-attacks.ts';
import type { MockFigures } from './mock-process.ts';
import { operationKind } from './operation-attacks.ts';
import { pipelineKind } from './pipeline-attacks.ts';
import type { ProbeFigures } from './probe-process.ts';
import { prepareReset } from './reset-mock.ts';
import { runKind, type Tally, type Violation } from './run-kind.ts';
import { shrinkViolation } from './shrink.ts';
import { slowKind } from './slow-attacks.ts';

export interface CampaignOptions {
  readonly seed: number;
  /** Of all kinds together; each sends a fifth. */
  readonly requests: number;
  /** The position to begin at. */
  readonly from: number;
  readonly onResult: (result: KindResult) => void;
  /** Called before each batch. */
  readonly onProgress: (kind: string, position: number) => void;
}

export interface KindResult {
  readonly name: string;
  readonly tally: Tally;
  readonly probe: ProbeFigures;
  /** Before the world was reset. */
  readonly before: MockFigures;
  /** After it was reset. */
  readonly after: MockFigures;
  /** The stack traces that the mock wrote to its log. */
  readonly log: string;
}

export interface CampaignResult {
  readonly results: readonly KindResult[];
  /** After a little of each kind and a reset. */
  readonly plateau: MockFigures;
  /** Violations with a smaller command, if there is one. */
  readonly violations: readonly Violation[];
}

/** The world is also reset within a kind, so that requests still find the resources they are for. */
const RESET_EVERY = 10_000;
const PROBE_WORLD = 'second-client';
const MAX_SHRUNK = 5;
/** Of each kind, before the plateau is measured. */
const warmUpRequests = (perKind: number): number => Math.min(4000, Math.max(200, Math.floor(perKind / 20)));

type Mock = Child<AttackedMock, MockFigures>;

/** Rejects if the mock ends. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  await using mock: Mock = await startChild<AttackedMock, MockFigures>('mock-process.ts', null);
  const { probeTarget, reset } = await prepareReset(mock.ready, PROBE_WORLD);
  await using probe = await startChild<object, ProbeFigures>('probe-process.ts', probeTarget);
  const kinds = await kindsFor(mock.ready);
  const run = async (): Promise<CampaignResult> => {
    const perKind = Math.floor(options.requests / kinds.length);
    for (const kind of kinds) await runKind(kind, { seed: options.seed, from: 0, to: warmUpRequests(perKind) });
    await reset();
    const plateau = await settledFigures(mock);
    await probe.figures();
    mock.takeLog();
    const results: KindResult[] = [];
    for (const [number, kind] of kinds.entries()) {
      const span = { from: Math.max(options.from, number * perKind), to: (number + 1) * perKind };
      if (span.from >= span.to) continue;
      const tally = await runKind(kind, { seed: options.seed, ...span }, async (position) => {
        options.onProgress(kind.name, position);
        if (position % RESET_EVERY === 0) await reset();
      });
      const figures = await probe.figures();
      const before = await mock.figures();
      await reset();
      const after = await settledFigures(mock, plateau.heapBytes + CLOSE_ENOUGH_BYTES);
      const result = { name: kind.name, tally, probe: figures, before, after, log: mock.takeLog() };
      results.push(result);
      options.onResult(result);
    }
    return { results, plateau, violations: await shrinkAll(kinds, results, reset) };
  };
  try {
    return await Promise.race([run(), mock.died]);
  } finally {
    await Promise.all(kinds.map(({ close }) => close()));
  }
}

async function kindsFor(mock: AttackedMock): Promise<readonly Kind[]> {
  return [operationKind(mock), await controlKind(mock), malformedKind(mock), slowKind(mock), pipelineKind(mock)];
}

const SETTLE_TRIES = 10;
const CLOSE_ENOUGH_BYTES = 2 * 2 ** 20;

/** The least memory of a few measurements, until it is at most `enough`: closed connections and timers are released after a while. */
async function settledFigures(mock: Mock, enough = 0): Promise<MockFigures> {
  let least = await mock.figures();
  for (let tries = 0; tries < SETTLE_TRIES && least.heapBytes > enough; tries++) {
    const next = await mock.figures();
    if (next.heapBytes < least.heapBytes) least = { ...next, blockedMs: Math.max(next.blockedMs, least.blockedMs) };
  }
  return least;
}

async function shrinkAll(kinds: readonly Kind[], results: readonly KindResult[], reset: () => Promise<void>) {
  const all = results.flatMap(({ tally }) => tally.violations);
  const shrunk: Violation[] = [];
  for (const violation of all.slice(0, MAX_SHRUNK)) {
    const kind = kinds.find(({ name }) => name === violation.kind);
    // A hang takes a deadline for each trial.
    const command =
      kind && violation.problem !== 'no response' ? await shrinkViolation(kind, violation, reset) : undefined;
    shrunk.push(command === undefined ? violation : { ...violation, command });
  }
  return [...shrunk, ...all.slice(MAX_SHRUNK)];
}
