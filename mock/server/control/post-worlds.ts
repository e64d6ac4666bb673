/** POST /_mock/worlds: adds a world to the port. Options not in the body are those the mock was started with. */
import { z } from 'zod';
import { instant } from '../../../spec/formats/parts.ts';
import { worldNames } from '../../../spec/formats/world-names.ts';
import { parseInstant } from '../../../spec/rfc3339.ts';
import { requireWithin } from '../../http/limits.ts';
import { worldExists } from '../../http/problems.ts';
import { resolveWorld } from '../../world/resolve-world.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';
import { rejectInvalidWorld } from './reject-invalid-world.ts';
import { clockMode, seed, worldId } from './schemas.ts';
import { addWorld, type WorldOverrides, type Worlds } from './worlds.ts';

const newWorld = z.strictObject({
  id: worldId.exactOptional(),
  seed: seed.exactOptional(),
  now: instant.exactOptional(),
  clock: clockMode.exactOptional(),
  brand: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]*$/, { error: 'a word of letters and digits' })
    .exactOptional(),
  onlyDocumented: z.boolean().exactOptional(),
  world: z
    .union([z.enum(worldNames), z.record(z.string(), z.unknown())], {
      error: `a world file as an object, or ${worldNames.join(', ')}`,
    })
    .exactOptional(),
});

type NewWorld = z.infer<typeof newWorld>;

/** With the schema of the world file, which `handle` checks only if there is one. */
async function jsonSchema(): Promise<object> {
  const { worldFileSchema } = await import('../../../spec/formats/world-file.ts'); // Only here: not used to serve requests.
  const world = z
    .union([z.enum(worldNames), worldFileSchema])
    .describe('A world file as JSON, or the name of a world.')
    .exactOptional();
  return bodyFormat(newWorld.extend({ world })).jsonSchema();
}

export const postWorlds: ControlCall<NewWorld> = {
  body: { ...bodyFormat(newWorld), jsonSchema, optional: true, isWorld: true, limitDepth: 80 },
  handle: async ({ worlds, body: { id = freeId(worlds), ...settings } }) => {
    if (worlds.others.has(id)) throw worldExists(id);
    // A world needs half a megabyte; the limit detects tests that do not delete their worlds.
    requireWithin(worlds.first.world.limits, 'worlds', worlds.others.size + 1);
    const overrides = await worldOverrides(settings);
    const { target, world } = await rejectInvalidWorld(() => addWorld(worlds, id, overrides));
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
    ...(world !== undefined && { world: await rejectInvalidWorld(() => resolveWorld(world)) }),
  };
}
