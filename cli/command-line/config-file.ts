/** Options from `assay.config.ts` of the working directory, a section a command; a flag wins over it, as a target in the environment does. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command, Option } from 'commander';
import { BadUsage, BadValue } from './usage-error.ts';
import { commandNames } from './command-names.ts';
import type { Environment } from '../../suites/target/open-target.ts';
import { isTargetNamed, targetKeys } from './target-flags.ts';

const OPTIONS_FILE = 'assay.config.ts';
const sections: readonly string[] = commandNames;

/** Values go through the same readers as flags. Throws BadUsage for an unknown section, key or value. */
export async function applyOptionsFile(
  command: Command,
  name: string,
  environment: Environment,
  folder: string = process.cwd(),
): Promise<void> {
  const file = path.join(folder, OPTIONS_FILE);
  if (!existsSync(file)) return;
  const found = valuesOf(sectionOf(await load(file), name), command, name);
  const others = isTargetNamed(command, environment) ? withoutTarget(found) : withOneTarget(found, name);
  for (const [key, value] of Object.entries(others)) {
    const source = command.getOptionValueSource(key);
    if (source === undefined || source === 'default') command.setOptionValueWithSource(key, value, 'config');
  }
}

type Values = Record<string, unknown>;

function valuesOf(section: Values, command: Command, name: string): Values {
  const options = new Map(command.options.map((option) => [option.attributeName(), option]));
  const read = Object.entries(section).map(([key, value]): [string, unknown] => {
    const option = options.get(key);
    if (option !== undefined) return [key, readValue(option, value, name)];
    throw new BadUsage(`${OPTIONS_FILE}: unknown key "${key}" in ${name}. Allowed: ${[...options.keys()].join(', ')}.`);
  });
  return Object.fromEntries(read);
}

const withoutTarget = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !targetKeys.some((each) => each === key)));

function withOneTarget(values: Values, name: string): Values {
  const named = targetKeys.filter((key) => key in values).map((key) => `${name}.${key}`);
  if (named.length < 2) return values;
  throw new BadUsage(`${OPTIONS_FILE}: ${named.join(' and ')} exclude each other: give one.`);
}

async function load(file: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (error) {
    throw new BadUsage(`${OPTIONS_FILE} does not load: ${(error as Error).message}`);
  }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sectionOf(content: unknown, name: string): Record<string, unknown> {
  const form = `Wanted: export default { ${name}: { … } }.`;
  if (!isMap(content)) throw new BadUsage(`${OPTIONS_FILE} exports no object by default. ${form}`);
  const unknown = Object.keys(content).find((key) => !sections.includes(key));
  if (unknown !== undefined)
    throw new BadUsage(`${OPTIONS_FILE}: unknown key "${unknown}". Allowed: ${sections.join(', ')}.`);
  const section = content[name] ?? {};
  if (!isMap(section)) throw new BadUsage(`${OPTIONS_FILE}: ${name} is no object. ${form}`);
  return section;
}

/** One value, or a list for a flag that may be repeated; a switch takes true and false. */
function readValue(option: Option, value: unknown, name: string): unknown {
  const refuse = (why: string) => new BadUsage(`${OPTIONS_FILE}: ${name}.${option.attributeName()}: ${why}`);
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw refuse(`${JSON.stringify(value)} is not allowed here. Wanted: true or false.`);
  }
  const values = [value].flat();
  if (values.length === 0) throw refuse('an empty list is not allowed here. Wanted: a value, or no such key.');
  const bad = values.find((each) => typeof each !== 'string' && typeof each !== 'number');
  if (bad !== undefined) throw refuse(`${JSON.stringify(bad)} is not allowed here. Wanted: a text or a number.`);
  const found = readAll(option, values.map(String), refuse);
  // What may be repeated is read into a list.
  if (!Array.isArray(value) || Array.isArray(found)) return found;
  throw refuse(`a list is not allowed here, since ${option.long} may not be repeated. Wanted: one value.`);
}

function readAll(option: Option, values: readonly string[], refuse: (why: string) => BadUsage): unknown {
  const read: (value: string, previous: never) => unknown = option.parseArg ?? ((value) => value);
  try {
    return values.reduce((previous: unknown, each) => read(each, previous as never), undefined);
  } catch (error) {
    throw error instanceof BadValue ? refuse(error.why) : error;
  }
}
