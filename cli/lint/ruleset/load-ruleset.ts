/** Loads the ruleset of a user and what it extends: files in Spectral's format, which may extend ours. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeFileError } from '../../../spec/describe-file-error.ts';
import { InvalidYaml, parseYaml } from '../../../spec/files/parse-yaml.ts';
import { readTextFile } from '../../../spec/files/read-text.ts';
import { TooComplex } from '../../../spec/files/too-complex.ts';
import ownRuleset from '../../../spec/ruleset/index.mjs';
import { isMap } from '../../../spec/ruleset/document/place.mjs';
import type { RulesetDefinition, RulesetLibraries } from '../spectral.ts';
import { guardFunction } from './guard-function.ts';
import type { Check } from './guard-function.ts';
import { describeError, invalidRuleset } from './invalid-ruleset.ts';
import { OWN_RULESET, provideModules } from './provide-modules.ts';
import type { Names } from './replace-names.ts';
import { formatsByName, replaceNames, UnknownName } from './replace-names.ts';

type Json = Record<string, unknown>;

export interface UserRuleset {
  readonly definition: RulesetDefinition;
  /** Absolute path. */
  readonly file: string;
}

interface Loading {
  readonly libraries: RulesetLibraries;
  /** Rulesets by file, because Spectral recognizes one that is extended twice by its identity. */
  readonly loaded: Map<string, Json>;
  /** The files that extend each other, outermost first. */
  readonly stack: readonly string[];
}

const MAX_BYTES = 1024 * 1024;
const DATA = ['.yaml', '.yml', '.json'];
const CODE = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'];

/** Runs the code of the ruleset. Throws UsageError. */
export async function loadRuleset(name: string): Promise<UserRuleset> {
  const file = path.resolve(name);
  const libraries = await provideModules();
  const definition = await load(file, { libraries, loaded: new Map(), stack: [] });
  return { file, definition: definition as unknown as RulesetDefinition };
}

async function load(file: string, loading: Loading): Promise<Json> {
  const known = loading.loaded.get(file);
  if (known !== undefined) return known;
  const stack = [...loading.stack, file];
  if (loading.stack.includes(file)) throw invalidRuleset(file, `It extends itself: ${stack.join(' → ')}.`);
  const definition = await readDefinition(file);
  const found = await expand(definition, file, { ...loading, stack });
  loading.loaded.set(file, found);
  return found;
}

async function readDefinition(file: string): Promise<Json> {
  const extension = path.extname(file);
  if (![...DATA, ...CODE].includes(extension))
    throw invalidRuleset(file, `Unknown kind of file. Expected one of ${[...DATA, ...CODE].join(', ')}.`);
  const text = readText(file);
  const value = DATA.includes(extension) ? parse(file, text) : await importDefault(file, file);
  if (!isMap(value)) throw invalidRuleset(file, 'Expected an object with rules, extends or overrides.');
  if (DATA.includes(extension) && /"__proto__":/.test(JSON.stringify(value)))
    throw invalidRuleset(file, 'A key must not be called __proto__.');
  return value;
}

function readText(file: string): string {
  try {
    return readTextFile(file, MAX_BYTES);
  } catch (error) {
    throw invalidRuleset(file, `It ${describeFileError(error)}.`);
  }
}

function parse(file: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof InvalidYaml) throw invalidRuleset(file, `It is not valid YAML: ${error.message}.`);
    if (error instanceof TooComplex) throw invalidRuleset(file, error.message);
    throw error;
  }
}

/** The default export of a module, or what a CommonJS module exports. */
async function importDefault(file: string, ruleset: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (error) {
    throw invalidRuleset(ruleset, `${path.basename(file)} cannot be loaded: ${describeError(error)}`);
  }
}

async function expand(definition: Json, file: string, loading: Loading): Promise<Json> {
  if ('except' in definition)
    throw invalidRuleset(file, 'except is not supported. Use overrides, with the rules set to off.');
  const provided = loading.libraries['@stoplight/spectral-functions'];
  const isOfUser = (value: unknown) => typeof value === 'function' && !Object.values(provided).includes(value);
  const names: Names = {
    functions: { ...mapValues(provided, (each) => () => each), ...(await functionsOf(definition, file)) },
    guard: (check, at) => (isOfUser(check) ? guardFunction(check as Check, at, path.basename(file)) : check),
    formats: formatsByName(loading.libraries),
  };
  try {
    return await expandExtends(replaceNames(definition, names), file, loading);
  } catch (error) {
    if (error instanceof UnknownName) throw invalidRuleset(file, error.message);
    throw error;
  }
}

/** The functions that the ruleset lists, from the files of its folder `functions` or the one that it names. */
async function functionsOf(
  { functions = [], functionsDir = 'functions' }: Json,
  file: string,
): Promise<Names['functions']> {
  if (!Array.isArray(functions) || !functions.every((each) => typeof each === 'string'))
    throw invalidRuleset(file, 'functions must be a list of names of files.');
  const found: Record<string, (at: string) => unknown> = {};
  for (const name of functions) {
    const base = path.resolve(path.dirname(file), String(functionsDir), name);
    const source = CODE.map((extension) => `${base}${extension}`).find((each) => existsSync(each));
    if (source === undefined)
      throw invalidRuleset(file, `functions: There is no file ${base} with the extension ${CODE.join(', ')}.`);
    const value = await importDefault(source, file);
    if (typeof value !== 'function')
      throw invalidRuleset(file, `functions: The default export of ${path.basename(source)} must be a function.`);
    const relativeFile = path.relative(path.dirname(file), source);
    found[path.basename(name)] = (at) => guardFunction(value as Check, at, relativeFile);
  }
  return found;
}

const mapValues = <Value, Changed>(all: Readonly<Record<string, Value>>, change: (value: Value) => Changed) =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, change(value)]));

async function expandExtends(definition: Json, file: string, loading: Loading): Promise<Json> {
  const overrides = definition['overrides'];
  const expanded = {
    ...definition,
    ...('extends' in definition && { extends: await extensionsOf(definition['extends'], file, loading) }),
  };
  if (!Array.isArray(overrides)) return expanded;
  const all = overrides.map(async (each: unknown) => (isMap(each) ? expandExtends(each, file, loading) : each));
  return { ...expanded, overrides: await Promise.all(all) };
}

/** `extends` is a name or an object, or a list of them and of pairs with `all`, `recommended` or `off`. */
async function extensionsOf(value: unknown, file: string, loading: Loading): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const each of Array.isArray(value) ? value : [value]) {
    const [extended, ...mode] = Array.isArray(each) ? (each as unknown[]) : [each as unknown];
    const ruleset = typeof extended === 'string' ? await loadExtended(extended, file, loading) : extended;
    found.push(mode.length === 0 ? ruleset : [ruleset, ...mode]);
  }
  return found;
}

async function loadExtended(name: string, file: string, loading: Loading): Promise<unknown> {
  if (name === OWN_RULESET) return ownRuleset;
  if (name === 'spectral:oas') return loading.libraries['@stoplight/spectral-rulesets']['oas'];
  if (name.startsWith('spectral:'))
    throw invalidRuleset(
      file,
      `extends: "${name}" is not supported. Expected spectral:oas, ${OWN_RULESET}, or a file.`,
    );
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(name))
    throw invalidRuleset(file, `extends: URLs are not supported. Save ${name} as a file, and extend that.`);
  return load(locate(name, file), loading);
}

/** A file relative to the ruleset, or a package installed for it. */
function locate(name: string, file: string): string {
  const relative = path.resolve(path.dirname(file), name);
  if (existsSync(relative)) return relative;
  try {
    return createRequire(file).resolve(name);
  } catch {
    throw invalidRuleset(
      file,
      `extends: There is no file ${relative}, and no package "${name}" is installed. Expected a file, a package, spectral:oas or ${OWN_RULESET}.`,
    );
  }
}
