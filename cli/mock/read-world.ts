/** The world of `--world`: one that comes with assay, or a file. */
import { existsSync, statSync } from 'node:fs';
import { isWorldName } from '../../fixtures/worlds/named-worlds.ts';
import { worldNames, type WorldName } from '../../spec/formats/world-names.ts';
import { WorldFileError } from '../../mock/state/world-file-error.ts';
import type { WorldExtension, WorldFile } from '../../spec/formats/world-file.ts';
import { UsageError } from '../command-line/usage-error.ts';

/**
 * `world`: a name, or the path of a file. `suggestNames`: whether the message for a file that does not exist lists the names.
 * Throws UsageError.
 */
export async function readWorld(world: string, suggestNames = true): Promise<WorldFile | WorldExtension | WorldName> {
  if (isWorldName(world)) return world;
  const { readWorldFile } = await import('../../mock/world/read-world-file.ts'); // Only here: it needs Ajv and a YAML parser.
  try {
    return await readWorldFile(world);
  } catch (error) {
    if (!(error instanceof WorldFileError)) throw error;
    const names = !suggestNames || existsSync(world) ? '' : ` Worlds that need no file: ${worldNames.join(', ')}.`;
    throw new UsageError(`--world: ${error.message.replace(/(?<![.?])$/, '.')}${names}`);
  }
}

/** Throws UsageError if `--watch` has no file to read again. */
export function requireWatchable(world: string | undefined, state: string | undefined): string {
  if (state !== undefined)
    throw new UsageError('--watch cannot be used with --state, because the state file has its own world.');
  if (world === undefined) throw new UsageError('--watch needs a world file: --world FILE.');
  if (isWorldName(world))
    throw new UsageError(
      `--watch needs a world file; ${world} is a world that needs none. Write ./${world} for a file.`,
    );
  if (statSync(world, { throwIfNoEntry: false })?.isFile() === false)
    throw new UsageError(`--watch needs a regular file; ${world} is not one.`);
  return world;
}
