/** Reads a target file, YAML or JSON. */
import { describeFileError } from '../../spec/describe-file-error.ts';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { InvalidYaml, MAX_YAML_BYTES, parseYaml } from '../../spec/files/parse-yaml.ts';
import { isOpenedPipe, readTextFile, readTextStream } from '../../spec/files/read-text.ts';
import { TooComplex } from '../../spec/files/too-complex.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { quote, readFormat } from '../../spec/formats/read-format.ts';
import { targetFileSchema } from '../../spec/formats/target-file.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Environment } from './environment.ts';
import { readTls } from './tls-settings.ts';
import { replaceVariables } from './variables.ts';

/** `folder`: names of files are relative to it. Throws InvalidInput; the message begins with `name`. */
export function parseTargetFile(
  source: string,
  name: string,
  { environment, folder = '.' }: { environment: Environment; folder?: string },
): TargetFile {
  try {
    const file = readFormat(targetFileSchema, replaceVariables(parsed(source), environment));
    return file.tls === undefined ? file : { ...file, tls: readTls(file.tls, folder) };
  } catch (error) {
    if (error instanceof InvalidInput) throw new InvalidInput(`${name}: ${error.message}`);
    throw error;
  }
}

/** Messages of the parser may quote a secret: only the kind of error and its position are reported. */
function parsed(source: string): unknown {
  try {
    return parseYaml(source);
  } catch (error) {
    if (error instanceof TooComplex) throw new InvalidInput(error.message);
    if (!(error instanceof InvalidYaml)) throw error;
    const { code, place } = error;
    throw new InvalidInput(code === 'BAD_ALIAS' ? BAD_ALIAS : `Not valid YAML or JSON (${code}${place}).`);
  }
}

const BAD_ALIAS =
  'unresolved alias (*name): no anchor (&name) before it. Put quotes around a string that begins with *.';

/** `-` is standard input; names of files in it are relative to the working directory. */
export async function readTargetFile(
  file: string,
  environment: Environment,
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<TargetFile> {
  const isInput = file === '-';
  let source: string;
  try {
    source = await readText(file, isInput ? stdin : undefined);
  } catch (error) {
    throw new InvalidInput(
      `The target file ${isInput ? 'on standard input' : quote(file)} ${describeFileError(error)}.`,
    );
  }
  return parseTargetFile(source, isInput ? 'standard input' : file, {
    environment,
    folder: isInput ? '.' : path.dirname(file),
  });
}

/** A pipe is read as a stream, so that a run can be interrupted while nothing comes. */
async function readText(file: string, stdin?: NodeJS.ReadableStream): Promise<string> {
  const stream = stdin ?? (isOpenedPipe(file) ? createReadStream(file) : undefined);
  return stream === undefined ? readTextFile(file, MAX_YAML_BYTES) : readTextStream(stream, MAX_YAML_BYTES);
}
