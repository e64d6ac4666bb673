/** A world as served on a port: the world, its target, and the journal, fault rules and scripted responses of requests to it. */
import { completeWorld } from '../../fixtures/worlds/named-worlds.ts';
import type { WorldBuilder } from '../../fixtures/worlds/world-builder.ts';
import type { WorldExtension, WorldFile } from '../../spec/formats/world-file.ts';
import type { Faults } from './faults.ts';
import { clearJournal, createJournal, type Journal } from './journal.ts';
import type { Replay, ReplayTurns } from './replay.ts';
import type { Scripts } from './scripted-response.ts';
import type { Choices } from '../state/choices.ts';
import type { MockKeys } from '../state/mock-keys.ts';
import type { ProfileSummary } from '../state/profile-summary.ts';
import { targetOf, type MockTarget } from '../world/target.ts';
import { createClock, type ClockMode, type Instant } from '../time/clock.ts';
import { loadWorld } from '../world/load.ts';
import type { World } from '../world/world.ts';
import type { Addresses, Mount, SandboxUrls } from '../state/addresses.ts';

/** Everything a world is built from: the same config builds the same world, including its tokens. */
export interface WorldConfig {
  readonly seed: number;
  readonly now: Instant;
  readonly clock: ClockMode;
  readonly brand: string;
  /** Default: the world of fixtures/worlds/default.ts. */
  readonly world?: WorldFile | WorldExtension | WorldBuilder;
  readonly onlyDocumented: boolean;
  /** The address that gets requests to unknown paths. */
  readonly upstream?: string;
  /** Whether the upstream gets every request, and the mock answers those for which it has no operation. Defaults to false. */
  readonly prefersUpstream?: boolean;
  readonly choices: Choices;
  /** Absent if the mock has no profile. */
  readonly following?: ProfileSummary;
  readonly sandboxUrls: SandboxUrls;
  readonly addresses: Addresses;
  readonly mount: Mount;
  /** Absent if the mock replays no recording. */
  readonly replay?: Replay;
  /** The certificate of HTTPS (PEM). */
  readonly certificate?: string;
  readonly trustedOrigins?: readonly string[];
  /** Absent on loopback: keys are then derived from the seed. */
  readonly keys?: MockKeys;
}

export interface ServedWorld {
  /** Replaced by a reload. */
  config: WorldConfig;
  /** Replaced by a reset, a reload and a restored snapshot. */
  world: World;
  target: MockTarget;
  readonly journal: Journal;
  faults: Faults;
  scripts: Scripts;
  replayTurns: ReplayTurns;
}

/** Throws a WorldFileError if the world file is invalid. */
export function serveWorld(config: WorldConfig): ServedWorld {
  return { config, ...buildWorld(config), journal: createJournal(), faults: [], scripts: [], replayTurns: new Map() };
}

/** Rebuilds the world with its initial clock; clears the journal, the fault rules and the scripted responses, and begins a replay again. */
export function resetWorld(served: ServedWorld): Promise<void> {
  return reloadWorld(served, served.config);
}

/** Resets to another initial world. Throws a WorldFileError if it is invalid; the world then stays. */
export async function reloadWorld(served: ServedWorld, config: WorldConfig): Promise<void> {
  const { journal, world } = served;
  Object.assign(served, { config, ...buildWorld(config), faults: [], scripts: [], replayTurns: new Map() });
  clearJournal(journal);
  await closeWorld(world);
}

/** Leaves the journal, the fault rules, the scripted responses and the position in a replay unchanged. */
export async function replaceWorld(served: ServedWorld, world: World): Promise<void> {
  const { brand, certificate } = served.config;
  const target = targetOf(world, brand, certificate);
  const before = served.world;
  Object.assign(served, { world, target });
  await closeWorld(before);
}

/** Ends open streams, sessions, timers and callbacks. */
export async function closeWorld({ sandboxes, schedule, timers, instances, mcp }: World): Promise<void> {
  sandboxes.close();
  schedule.close();
  timers.close();
  instances.close();
  await mcp.close();
}

function buildWorld({ world: file, now, clock: mode, ...options }: WorldConfig): Pick<ServedWorld, 'world' | 'target'> {
  // The clock is frozen meanwhile: otherwise the tokens would depend on how long building takes.
  const clock = createClock(now, 'frozen');
  const world = loadWorld(completeWorld(file, options.seed, now), { ...options, clock });
  const target = targetOf(world, options.brand, options.certificate);
  if (mode === 'running') clock.run();
  return { world, target };
}
