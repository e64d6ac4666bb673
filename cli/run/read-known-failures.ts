/** Reads a list of known failures, YAML or JSON; refuses the first key, value or rule that does not fit. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { KnownFailure } from '../../spec/verdicts.ts';
import { BadInput, listOf, quoted, record, text } from '../../suites/target/form.ts';
import type { Reader } from '../../suites/target/form.ts';
import { BadUsage } from '../command-line/usage-error.ts';

const ruleId: Reader<RequirementId> = (value, at) => {
  const rule = requirements.find(({ id }) => id === value);
  if (rule === undefined) throw new BadInput(`${at}: ${quoted(value)} is no rule. See assay rules.`);
  if (rule.level !== 'must') throw new BadInput(`${at}: ${quoted(value)} is only observed, so it never fails.`);
  return rule.id;
};

const day: Reader<string> = (value, at) => {
  const date =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  if (date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(String(value)))
    return String(value);
  throw new BadInput(`${at}: ${quoted(value)} is not allowed here. Wanted: a day such as 2026-12-31.`);
};

const list = listOf(record<KnownFailure>({ id: ruleId, reason: text, ticket: text, expires: day }, ['id', 'reason']));

/** Throws BadUsage with a sentence that begins with the name of the file. */
export function readKnownFailures(file: string): KnownFailure[] {
  try {
    const known = list(parsed(file), 'list');
    const twice = known.find(({ id }, index) => known.findIndex((other) => other.id === id) !== index);
    if (twice !== undefined) throw new BadInput(`${quoted(twice.id)} is listed twice.`);
    return known;
  } catch (error) {
    if (error instanceof BadInput) throw new BadUsage(`--known-failures ${quoted(file)}: ${error.message}`);
    throw error;
  }
}

function parsed(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'), { maxAliasCount: 0, logLevel: 'error' }) as unknown;
  } catch (error) {
    throw new BadInput(`it cannot be read as YAML or JSON: ${(error as Error).message}`);
  }
}
