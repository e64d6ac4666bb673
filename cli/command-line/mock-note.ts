/** How a command knows that its target is the mock of `assay mock -- COMMAND`: a file next to the target file. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const NOTE_FILE = 'assay-mock.json';

const noteSchema = z.object({ flags: z.array(z.string()) });

/** Notes, in the folder of a target file, the flags that start such a mock again. */
export function writeMockNote(folder: string, flags: readonly string[]): void {
  writeFileSync(path.join(folder, NOTE_FILE), JSON.stringify({ flags }));
}

/** The flags of the mock. Undefined if the target file is not that of a mock with a command. */
export function readMockNote(targetFile: string): readonly string[] | undefined {
  try {
    const text = readFileSync(path.join(path.dirname(targetFile), NOTE_FILE), 'utf8');
    return noteSchema.safeParse(JSON.parse(text)).data?.flags;
  } catch {
    return undefined; // It does not exist, or is not ours.
  }
}
