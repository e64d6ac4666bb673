/** How a command knows that its target is the mock of `assay mock -- COMMAND`: a file next to the target file. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const NOTE_FILE = 'assay-mock.json';

/** Notes, in the folder of a target file, the flags that start such a mock again. */
export function writeMockNote(folder: string, flags: readonly string[]): void {
  writeFileSync(path.join(folder, NOTE_FILE), JSON.stringify({ flags }));
}

/** The flags of the mock. Undefined if the target file is not that of a mock with a command. */
export function readMockNote(targetFile: string): readonly string[] | undefined {
  try {
    const text = readFileSync(path.join(path.dirname(targetFile), NOTE_FILE), 'utf8');
    return flagsIn(JSON.parse(text));
  } catch {
    return undefined; // It does not exist, or is not ours.
  }
}

/** Without zod, which the start of a mock would load for this alone. */
function flagsIn(note: unknown): readonly string[] | undefined {
  const flags: unknown = (note as { flags?: unknown } | null)?.flags;
  return Array.isArray(flags) && flags.every((flag) => typeof flag === 'string') ? flags : undefined;
}
