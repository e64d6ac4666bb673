/** Turns the errors of Ajv into findings: where, what is there, what is allowed, and a sentence of the three. */

import type { ErrorObject } from 'ajv';
import type { Schema } from './documents.ts';
import { isSecretName } from './secret-names.ts';

export interface Finding {
  /** JSON Pointer into the body; empty for the body itself. */
  at: string;
  /** What is there: the value where it may be quoted and is short, else its type. */
  found: string;
  /** What is allowed there. */
  allowed: string;
  /** The sentence for a person: where, what is allowed, what was found. */
  says: string;
  /** The JSON Schema keyword that the value does not satisfy. */
  keyword: string;
}

/** One finding an error, and one only where two keywords say the same. Wants errors of an Ajv with `verbose`. */
export function findingsOf(errors: readonly ErrorObject[]): Finding[] {
  const findings = Map.groupBy(errors.map(findingOf), ({ says }) => says);
  return [...findings.values()].flatMap(([first]) => first ?? []);
}

function findingOf(error: ErrorObject): Finding {
  if (error.keyword === 'required') return missing(error);
  const at = error.instancePath;
  const found = quoted(error.data, isSecret(error));
  const allowed = (ALLOWED[error.keyword] ?? (() => error.message ?? error.keyword))(error);
  return { at, found, allowed, says: `${at || 'the body'} must be ${allowed}; found ${found}`, keyword: error.keyword };
}

function missing(error: ErrorObject): Finding {
  const at = `${error.instancePath}/${escaped(String(error.params['missingProperty']))}`;
  return { at, found: 'nothing', allowed: 'a value', says: `${at} is required and missing`, keyword: 'required' };
}

/** What each keyword allows, so that it reads well after "must be". */
const ALLOWED: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ schema }) => [schema].flat().map(typeWord).join(' or '),
  enum: ({ schema }) => `one of ${(schema as readonly unknown[]).map((each) => JSON.stringify(each)).join(', ')}`,
  const: ({ schema }) => JSON.stringify(schema),
  minLength: ({ schema }) => `at least ${count(schema, 'character')} long`,
  maxLength: ({ schema }) => `at most ${count(schema, 'character')} long`,
  minimum: ({ schema, parentSchema }) => `at least ${String(schema)}${unit(parentSchema)}`,
  maximum: ({ schema, parentSchema }) => `at most ${String(schema)}${unit(parentSchema)}`,
  pattern: ({ schema, parentSchema }) =>
    String((parentSchema as Schema)['x-allowed'] ?? `text that matches ${String(schema)}`),
  format: ({ schema }) => FORMATS[String(schema)] ?? `of format ${String(schema)}`,
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'an RFC 3339 timestamp, such as 2026-04-16T00:00:00Z',
  uuid: 'a UUID',
};

function typeWord(type: unknown): string {
  return /^[aio]/.test(String(type)) ? `an ${String(type)}` : `a ${String(type)}`;
}

function count(amount: unknown, word: string): string {
  return `${String(amount)} ${word}${amount === 1 ? '' : 's'}`;
}

function unit(schema: unknown): string {
  const word = (schema as Schema | undefined)?.['x-unit'];
  return typeof word === 'string' ? ` ${word}` : '';
}

const LONGEST_QUOTE = 80;

/** The value itself where it is short and no secret, else what kind of value it is. */
function quoted(value: unknown, secret: boolean): string {
  if (typeof value === 'string' && !secret) {
    return value.length <= LONGEST_QUOTE ? JSON.stringify(value) : `a string of ${[...value].length} characters`;
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if ((typeof value === 'number' || typeof value === 'boolean') && !secret) return String(value);
  return typeWord(typeof value);
}

/** By its schema, by a schema of what should be in it, by its name, or by those of what it is in; so are environment variables. */
function isSecret({ instancePath, parentSchema = {} }: ErrorObject): boolean {
  const { properties = {}, additionalProperties, items } = parentSchema as Schema;
  const within = [...Object.values(properties), additionalProperties, items].filter((each) => typeof each === 'object');
  const isSecretPlace = instancePath.split('/').some(isSecretName) || instancePath.endsWith('/envs');
  return isSecretPlace || [parentSchema as Schema, ...within].some(isMarked);
}

const isMarked = (schema: Schema): boolean =>
  schema['x-secret'] === true || schema.format === 'password' || schema['writeOnly'] === true;

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
