/** The text of a world file, and the file itself, which never replaces another one. */
import { stringify } from 'yaml';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MAX_YAML_BYTES } from '../../spec/files/parse-yaml.ts';
import { worldFile } from '../../mock/world/check-world-file.ts';
import { counted } from '../../spec/counted.ts';
import type { WorldFile } from '../../spec/formats/world-file.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { BuiltWorld } from './world-of.ts';

const HEADING =
  '# A world file of assay, made of what a deployment showed: assay mock --world FILE. Names are kept; secrets,\n# people and addresses are replaced.\n';

/** YAML, or JSON if that would be larger than a YAML file may be, or if `isJson`. */
export function worldText(file: WorldFile, isJson = false): string {
  worldFile(file, 'world'); // An invalid one is a mistake in assay.
  const yaml = isJson ? '' : HEADING + stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
  return isJson || yaml.length > MAX_YAML_BYTES ? `${JSON.stringify(file, null, 1)}\n` : yaml;
}

export const isJsonName = (file: string): boolean => /\.json$/i.test(file);
/** Throws UsageError. */
export function requireNoFile(file: string, flag: string): void {
  if (existsSync(file))
    throw new UsageError(
      `"${file}" already exists, and is not overwritten. Choose another ${flag} FILE, or remove it first.`,
    );
}

/** `flag`: for messages. Throws UsageError if the file exists or cannot be written. */
export function writeWorldFile(file: string, text: string, flag: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    requireNoFile(file, flag);
    throw new UsageError(`"${file}" cannot be written: ${(error as Error).message}. Choose another ${flag} FILE.`);
  }
}

/** Sentences for the user: what the file cannot say, and how much it has. `name`: of the file, if it is not standard output. */
export function describeWorld({ file, resourceCount, remarks }: BuiltWorld, name?: string): string[] {
  const subject = name === undefined ? 'The world' : `Wrote ${name}: the world`;
  return [
    ...remarks,
    `${subject} has ${counted(file.resources.length, 'resource')}; responses showed ${resourceCount}.`,
  ];
}
