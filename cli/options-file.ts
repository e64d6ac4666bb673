/** Options from `assay.config.ts` of the working directory, a section a command; a flag wins over it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command, Option } from 'commander';
import { InvalidArgumentError } from 'commander';
import { BadUsage } from './bad-usage.ts';

const OPTIONS_FILE = 'assay.config.ts';
const sections = ['mock', 'test', 'sweep', 'merge', 'replay', 'diff', 'lint', 'proxy', 'rules'];

/** Values go through the same readers as flags. Throws BadUsage for an unknown section, key or value. */
export async function applyOptionsFile(command: Command, name: string, folder: string = process.cwd()): Promise<void> {
  const file = path.join(folder, OPTIONS_FILE);
  if (!existsSync(file)) return;
  const section = sectionOf(await load(file), name);
  const options = new Map(command.options.map((option) => [option.attributeName(), option]));
  for (const [key, value] of Object.entries(section)) {
    const option = options.get(key);
    if (option === undefined)
      throw new BadUsage(
        `${OPTIONS_FILE}: unknown key "${key}" in ${name}. Allowed: ${[...options.keys()].join(', ')}.`,
      );
    const source = command.getOptionValueSource(key);
    if (source === undefined || source === 'default')
      command.setOptionValueWithSource(key, read(option, value, name), 'config');
  }
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
function read(option: Option, value: unknown, name: string): unknown {
  const refuse = (why: string) => new BadUsage(`${OPTIONS_FILE}: ${name}.${option.attributeName()}: ${why}`);
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw refuse(`${JSON.stringify(value)} is not allowed here. Wanted: true or false.`);
  }
  const values = [value].flat();
  const bad = values.find((each) => typeof each !== 'string' && typeof each !== 'number');
  if (bad !== undefined) throw refuse(`${JSON.stringify(bad)} is not allowed here. Wanted: a text or a number.`);
  try {
    return values.reduce((previous: unknown, each) => readOne(option, String(each), previous), undefined);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw refuse(error.message);
    throw error;
  }
}

const readOne = (option: Option, value: string, previous: unknown): unknown => {
  if (option.parseArg === undefined) return value;
  return option.parseArg(value, previous as never);
};
