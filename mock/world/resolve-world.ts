/** Turns the world of an option or a request into one that can be loaded. */
import { isWorldName, namedWorld } from '../../fixtures/worlds/named-worlds.ts';
import type { WorldBuilder } from '../../fixtures/worlds/world-builder.ts';
import type { WorldExtension, WorldFile } from '../../spec/formats/world-file.ts';

/** `world`: a name, or the content of a world file. Throws a WorldFileError. */
export async function resolveWorld(world: unknown): Promise<WorldFile | WorldExtension | WorldBuilder> {
  if (isWorldName(world)) return namedWorld(world);
  // Loaded on demand: validation takes longer than the start of a mock without a world file.
  const { worldFile } = await import('./check-world-file.ts');
  return worldFile(world, 'world');
}
