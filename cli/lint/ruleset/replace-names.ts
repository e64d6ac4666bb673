/** Replaces the names of functions and formats in a ruleset by the functions and formats, as Spectral's own command does. */
import { isMap } from '../../../spec/ruleset/document/place.mjs';
import type { RulesetLibraries } from '../spectral.ts';

type Json = Record<string, unknown>;

export interface Names {
  /** Those of the ruleset itself and those of Spectral, by name; `at`: the rule that uses it. */
  readonly functions: Readonly<Record<string, (at: string) => unknown>>;
  /** Prepares a function that a rule contains. */
  readonly guard: (check: unknown, at: string) => unknown;
  readonly formats: Readonly<Json>;
}

/** A name that nothing has. The message names what is allowed. */
export class UnknownName extends Error {}

/** Formats by the names of Spectral's documentation (`oas3.1`) and of its library (`oas3_1`). */
export function formatsByName(libraries: RulesetLibraries): Json {
  const formats = Object.entries(libraries['@stoplight/spectral-formats']).filter(
    ([name, value]) => typeof value === 'function' && !/^(extract|detect)/.test(name),
  );
  return Object.fromEntries(
    formats.flatMap(([name, value]) => [name, documentedName(name)].map((each) => [each, value])),
  );
}

/** `oas3_1` → `oas3.1`, `jsonSchemaDraft7` → `json-schema-draft7`. */
const documentedName = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replace(/draft(\d{4})_(\d\d)$/, 'draft-$1-$2')
    .replaceAll('_', '.');

/** Throws UnknownName. Anything of an unexpected type is left to Spectral's validation. */
export function replaceNames(definition: Json, names: Names): Json {
  const { functions: _functions, functionsDir: _folder, ...rest } = definition;
  return mapMembers(rest, {
    formats: (value) => replaceFormats(value, names, 'formats'),
    rules: (value) => mapValues(value, (rule, id) => replaceInRule(rule, names, `rules.${id}`)),
    aliases: (value) => mapValues(value, (alias, id) => replaceInAlias(alias, names, `aliases.${id}`)),
    overrides: (value) =>
      Array.isArray(value) ? value.map((each) => (isMap(each) ? replaceNames(each, names) : each)) : value,
  });
}

function replaceInRule(rule: unknown, names: Names, at: string): unknown {
  if (!isMap(rule)) return rule;
  const replaceThen = (then: unknown): unknown =>
    isMap(then)
      ? { ...then, ...('function' in then && { function: replaceFunction(then['function'], names, at) }) }
      : then;
  const changed = mapMembers(rule, { formats: (value) => replaceFormats(value, names, `${at}.formats`) });
  const { then } = rule;
  if (then === undefined) return changed;
  // Spectral requires the property name `then`.
  // oxlint-disable-next-line unicorn/no-thenable
  return { ...changed, then: Array.isArray(then) ? then.map(replaceThen) : replaceThen(then) };
}

function replaceFunction(value: unknown, { functions, guard }: Names, at: string): unknown {
  if (typeof value !== 'string') return guard(value, at);
  return lookUp(functions, value, `${at}.then.function`, 'function')(at);
}

function replaceInAlias(alias: unknown, names: Names, at: string): unknown {
  if (!isMap(alias) || !Array.isArray(alias['targets'])) return alias;
  const targets = alias['targets'].map((target: unknown) =>
    isMap(target) ? mapMembers(target, { formats: (value) => replaceFormats(value, names, at) }) : target,
  );
  return { ...alias, targets };
}

const replaceFormats = (value: unknown, { formats }: Names, at: string): unknown =>
  Array.isArray(value)
    ? value.map((each: unknown) => (typeof each === 'string' ? lookUp(formats, each, at, 'format') : each))
    : value;

function lookUp<Value>(
  all: Readonly<Record<string, Value>>,
  name: string,
  at: string,
  what: 'function' | 'format',
): Value {
  if (Object.hasOwn(all, name)) return all[name] as Value;
  throw new UnknownName(`${at}: Unknown ${what} "${name}". Expected one of ${HINTS[what](Object.keys(all))}.`);
}

const HINTS = {
  function: (names: readonly string[]) => `${names.join(', ')}; a function of your own must be listed under functions`,
  format: (names: readonly string[]) => names.filter((name) => /^oas[\d.]+$/.test(name)).join(', '),
};

const mapMembers = (value: Json, change: Readonly<Record<string, (member: unknown) => unknown>>): Json =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      // Not a member that every object has, such as __proto__.
      (Object.hasOwn(change, name) ? change[name]?.(member) : undefined) ?? member,
    ]),
  );

const mapValues = (value: unknown, change: (member: unknown, name: string) => unknown): unknown =>
  isMap(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]))
    : value;
