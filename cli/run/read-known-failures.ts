/** Reads a list of known failures or known differences, YAML or JSON. */
import type { z } from 'zod';
import { describeFileError } from '../../spec/describe-file-error.ts';
import { InvalidYaml, MAX_YAML_BYTES, parseYaml } from '../../spec/files/parse-yaml.ts';
import { readTextFile } from '../../spec/files/read-text.ts';
import { TooComplex } from '../../spec/files/too-complex.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { knownDifferencesSchema } from '../../spec/formats/comparison.ts';
import type { KnownDifference } from '../../spec/formats/comparison.ts';
import { knownFailuresSchema } from '../../spec/formats/known-failures.ts';
import type { KnownFailure } from '../../spec/formats/known-failures.ts';
import { quote, readFormat } from '../../spec/formats/read-format.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Throws UsageError; the message begins with the name of the file. */
export const readKnownFailures = (file: string): KnownFailure[] =>
  readListed(knownFailuresSchema, '--known-failures', file);

/** Throws like readKnownFailures. */
export const readKnownDifferences = (file: string): KnownDifference[] =>
  readListed(knownDifferencesSchema, '--known-differences', file);

function readListed<T>(schema: z.ZodType<T>, flag: string, file: string): T {
  try {
    return readFormat(schema, parseFile(file));
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageError(`${flag} ${quote(file)}: ${error.message}`);
    throw error;
  }
}

function parseFile(file: string): unknown {
  const text = readText(file);
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof TooComplex) throw new InvalidInput(error.message);
    if (error instanceof InvalidYaml) throw new InvalidInput(`not readable as YAML or JSON: ${error.message}`);
    throw error;
  }
}

function readText(file: string): string {
  try {
    return readTextFile(file, MAX_YAML_BYTES, { mayBePipe: true });
  } catch (error) {
    throw new InvalidInput(`The file ${describeFileError(error)}.`);
  }
}
