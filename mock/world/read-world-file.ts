/** Reads a world file (YAML or JSON). */
import { describeFileError } from '../../spec/describe-file-error.ts';
import { InvalidYaml, parseYamlOrJson } from '../../spec/files/parse-yaml.ts';
import { readTextFile } from '../../spec/files/read-text.ts';
import { TooComplex } from '../../spec/files/too-complex.ts';
import type { WorldExtension, WorldFile } from '../../spec/formats/world-file.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import { worldFile } from './check-world-file.ts';

/** Bytes. In YAML, parseYamlOrJson allows less. */
const MAX_WORLD_BYTES = 16 * 1024 * 1024;

/** Throws a WorldFileError. loadWorld reports what needs the whole world, such as a duplicate name. */
export async function readWorldFile(path: string): Promise<WorldFile | WorldExtension> {
  return worldFile(parsed(path, readText(path)), path);
}

function readText(path: string): string {
  try {
    return readTextFile(path, MAX_WORLD_BYTES, { mayBePipe: true });
  } catch (error) {
    return refuse(`${path} ${describeFileError(error)}`);
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return parseYamlOrJson(text);
  } catch (error) {
    if (error instanceof InvalidYaml) return refuse(`${path} is neither YAML nor JSON: ${error.message}`);
    if (error instanceof TooComplex) return refuse(`${path}: ${error.message}`);
    throw error;
  }
}

function refuse(reason: string): never {
  throw new WorldFileError(reason);
}
