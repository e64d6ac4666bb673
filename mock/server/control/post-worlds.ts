/** POST /_mock/worlds: another world on the same port; what the body leaves out is as the mock was started. */
import { record } from '../../../fixtures/worlds/world-file-schema.ts';
import type { WorldFile } from '../../../fixtures/worlds/world-file.ts';
import { parseInstant } from '../../../spec/rfc3339.ts';
import { invalidField, Problem, worldExists } from '../../http/problems.ts';
import type { ClockMode } from '../../time/clock.ts';
import { WorldFileError } from '../../world/load.ts';
import type { ControlCall } from './control-call.ts';
import { clockMode, seed, time, worldId } from './schemas.ts';
import { addWorld, type WorldOverrides, type Worlds } from './worlds.ts';

interface NewWorld {
  readonly id?: string;
  readonly seed?: number;
  readonly now?: string;
  readonly clock?: ClockMode;
  readonly brand?: string;
  readonly onlyDocumented?: boolean;
  /** A world file as JSON. */
  readonly world?: unknown;
}

/** A world takes half a megabyte: what forgets to delete its own is told so in time. */
const MAX_WORLDS = 500;

export const postWorlds: ControlCall<NewWorld> = {
  body: {
    optional: true,
    limitDepth: 80,
    schema: record({
      'id?': worldId,
      'seed?': seed,
      'now?': time,
      'clock?': clockMode,
      'brand?': { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9]*$', 'x-allowed': 'a word of letters and digits' },
      'onlyDocumented?': { type: 'boolean' },
      'world?': { type: 'object' },
    }),
  },
  handle: async ({ worlds, body: { id = freeId(worlds), ...settings } }) => {
    if (worlds.others.has(id)) throw worldExists(id);
    if (worlds.others.size >= MAX_WORLDS)
      throw invalidField(
        'worlds',
        worlds.others.size + 1,
        `at most ${MAX_WORLDS}; DELETE /_mock/worlds/{id} removes one`,
      );
    const overrides = await worldOverrides(settings);
    const { target, world } = orBadRequest(() => addWorld(worlds, id, overrides));
    const control = `${world.addresses.host}/_mock`;
    return { status: 201, headers: { location: world.addresses.host }, body: { id, control, target } };
  },
};

function freeId({ others }: Worlds): string {
  let number = others.size + 1;
  while (others.has(`world-${number}`)) number++;
  return `world-${number}`;
}

async function worldOverrides({ now, world, ...rest }: Omit<NewWorld, 'id'>): Promise<WorldOverrides> {
  return {
    ...rest,
    ...(now !== undefined && { now: parseInstant(now) ?? 0 }),
    ...(world !== undefined && { world: await readWorld(world) }),
  };
}

async function readWorld(value: unknown): Promise<WorldFile> {
  const { worldFile } = await import('../../world/read-world-file.ts'); // Only here: few send a file.
  return orBadRequest(() => worldFile(value, 'world'));
}

/** What is wrong with a world file is a mistake of whoever sent it. */
function orBadRequest<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    throw error instanceof WorldFileError ? new Problem(400, 'invalid_request', error.message) : error;
  }
}
