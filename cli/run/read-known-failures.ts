/** Reads a list of known failures, YAML or JSON. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describeFileError } from '../../spec/describe-file-error.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { knownFailuresSchema } from '../../spec/formats/known-failures.ts';
import type { KnownFailure } from '../../spec/formats/known-failures.ts';
import { quote, readFormat } from '../../spec/formats/read-format.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Throws UsageError; the message begins with the name of the file. */
export function readKnownFailures(file: string): KnownFailure[] {
  try {
    return readFormat(knownFailuresSchema, parseFile(file));
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageError(`--known-failures ${quote(file)}: ${error.message}`);
    throw error;
  }
}

function parseFile(file: string): unknown {
  const text = readText(file);
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'error' }) as unknown;
  } catch (error) {
    throw new InvalidInput(`not readable as YAML or JSON: ${(error as Error).message}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidInput(`The file ${describeFileError(error)}.`);
  }
}
