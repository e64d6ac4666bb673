/** One world as a port serves it: the world itself, and beside it what notes and what disturbs the requests to it. */
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { WorldFile } from '../../fixtures/worlds/world-file.ts';
import { createFaults, type Faults } from './faults.ts';
import { clearJournal, createJournal, type Journal } from './journal.ts';
import type { Choices } from '../state/choices.ts';
import type { ProfileSummary } from '../state/profile-summary.ts';
import { targetOf, type MockTarget } from '../world/target.ts';
import { createClock, type ClockMode, type Instant } from '../time/clock.ts';
import { loadWorld } from '../world/load.ts';
import type { World } from '../world/world.ts';
import type { Addresses, SandboxUrls } from '../state/world-state.ts';

/** All that a world is made of: the same recipe gives the same world again, down to its tokens. */
export interface WorldConfig {
  readonly seed: number;
  readonly now: Instant;
  readonly clock: ClockMode;
  readonly brand: string;
  /** Left out: the world of fixtures/worlds/default.ts. */
  readonly world?: WorldFile;
  readonly onlyDocumented: boolean;
  readonly choices: Choices;
  /** Left out: the mock follows no profile. */
  readonly following?: ProfileSummary;
  readonly sandboxUrls: SandboxUrls;
  readonly addresses: Addresses;
}

export interface ServedWorld {
  readonly config: WorldConfig;
  /** Another one after a reset, and after a snapshot was put in. */
  world: World;
  target: MockTarget;
  readonly journal: Journal;
  faults: Faults;
}

/** Throws a WorldFileError where the recipe's file breaks a rule. */
export function serveWorld(config: WorldConfig): ServedWorld {
  return { config, ...buildWorld(config), journal: createJournal(), faults: createFaults([], config.seed) };
}

/** Back to how it began: world, clock, journal, and no faults. */
export async function resetWorld(served: ServedWorld): Promise<void> {
  const { config, journal, world } = served;
  Object.assign(served, buildWorld(config), { faults: createFaults([], config.seed) });
  clearJournal(journal);
  await closeWorld(world);
}

/** Journal and faults stay. */
export async function replaceWorld(served: ServedWorld, world: World): Promise<void> {
  const target = targetOf(world, served.config.brand);
  const before = served.world;
  Object.assign(served, { world, target });
  await closeWorld(before);
}

/** Ends what clients have open in it. */
export async function closeWorld({ sandboxes, schedule, timers, mcp }: World): Promise<void> {
  sandboxes.close();
  schedule.close();
  timers.close();
  await mcp.close();
}

function buildWorld({ world: file, now, clock: mode, ...options }: WorldConfig): Pick<ServedWorld, 'world' | 'target'> {
  // Time stands while the world is made: its tokens would else tell how long that took.
  const clock = createClock(now, 'frozen');
  const world = loadWorld(file ?? defaultWorld(options.seed, now), { ...options, clock });
  const target = targetOf(world, options.brand);
  if (mode === 'running') clock.run();
  return { world, target };
}
