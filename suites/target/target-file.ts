/** Reads a target file, YAML or JSON. */
import { describeFileError } from '../../spec/describe-file-error.ts';
import { readFile } from 'node:fs/promises';
import { text as streamText } from 'node:stream/consumers';
import { parse } from 'yaml';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { quote, readFormat } from '../../spec/formats/read-format.ts';
import { targetFileSchema } from '../../spec/formats/target-file.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';

/** Throws InvalidInput; the message begins with `name`. */
export function parseTargetFile(source: string, name: string): TargetFile {
  try {
    return readFormat(targetFileSchema, parseYaml(source));
  } catch (error) {
    if (error instanceof InvalidInput) throw new InvalidInput(`${name}: ${error.message}`);
    throw error;
  }
}

/** YAML is a superset of JSON. Its own messages quote the lines, which may hold a secret: only the kind of error and its position are reported. */
function parseYaml(source: string): unknown {
  try {
    return parse(source, { prettyErrors: true, logLevel: 'error' }) as unknown;
  } catch (error) {
    if (error instanceof ReferenceError) throw new InvalidInput(BAD_ALIAS);
    const { code, linePos } = error as { code?: string; linePos?: [{ line: number; col: number }] };
    const place = linePos === undefined ? '' : ` at line ${linePos[0].line}, column ${linePos[0].col}`;
    throw new InvalidInput(`Not valid YAML or JSON (${code ?? 'unreadable'}${place}).`);
  }
}

const BAD_ALIAS =
  'unresolved alias (*name): no anchor (&name) before it, or too many aliases. Put quotes around a string that begins with *.';

/** `-` is standard input. */
export async function readTargetFile(path: string, stdin: NodeJS.ReadableStream = process.stdin): Promise<TargetFile> {
  if (path === '-') return parseTargetFile(await streamText(stdin), 'standard input');
  let source: string;
  try {
    source = await readFile(path, 'utf8');
  } catch (error) {
    throw new InvalidInput(`The target file ${quote(path)} ${describeFileError(error)}.`);
  }
  return parseTargetFile(source, path);
}
