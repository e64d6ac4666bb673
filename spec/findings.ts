/** Converts the errors of Ajv to findings with place, actual value, expectation and a sentence. */

import type { ErrorObject } from 'ajv';
import { counted } from './counted.ts';
import type { Schema } from './openapi-document.ts';
import { isSecretName } from './secret-names.ts';

export interface Finding {
  /** JSON Pointer into the body; empty for the body itself. */
  at: string;
  /** The actual value if it is short and not secret, otherwise its type. */
  found: string;
  /** The expectation. */
  allowed: string;
  /** One sentence with place, expectation and actual value. */
  says: string;
  /** The violated JSON Schema keyword. */
  keyword: string;
}

/** Returns one finding per error, without duplicates. The errors must come from an Ajv with `verbose`. */
export function findingsOf(errors: readonly ErrorObject[]): Finding[] {
  const findings = Map.groupBy(errors.map(findingOf), ({ says }) => says);
  return [...findings.values()].flatMap(([first]) => first ?? []);
}

function findingOf(error: ErrorObject): Finding {
  if (error.keyword === 'required') return missing(error);
  const at = error.instancePath;
  const found = quoted(error.data, isSecret(error));
  const allowed = (EXPECTED_BY_KEYWORD[error.keyword] ?? (() => error.message ?? error.keyword))(error);
  return { at, found, allowed, says: `${at || 'the body'} must be ${allowed}; found ${found}`, keyword: error.keyword };
}

function missing(error: ErrorObject): Finding {
  const at = `${error.instancePath}/${escaped(String(error.params['missingProperty']))}`;
  return { at, found: 'nothing', allowed: 'a value', says: `${at} is required and missing`, keyword: 'required' };
}

/** The expectation of each keyword, phrased to follow "must be". */
const EXPECTED_BY_KEYWORD: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ schema }) => [schema].flat().map(typeWord).join(' or '),
  enum: ({ schema }) => `one of ${(schema as readonly unknown[]).map((each) => JSON.stringify(each)).join(', ')}`,
  const: ({ schema }) => JSON.stringify(schema),
  minLength: ({ schema }) => `at least ${counted(Number(schema), 'character')} long`,
  maxLength: ({ schema }) => `at most ${counted(Number(schema), 'character')} long`,
  minimum: ({ schema, parentSchema }) => `at least ${String(schema)}${unit(parentSchema)}`,
  maximum: ({ schema, parentSchema }) => `at most ${String(schema)}${unit(parentSchema)}`,
  pattern: ({ schema, parentSchema }) =>
    String((parentSchema as Schema)['x-allowed'] ?? `a string that matches ${String(schema)}`),
  format: ({ schema }) => EXPECTED_BY_FORMAT[String(schema)] ?? `of format ${String(schema)}`,
};

const EXPECTED_BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': 'an RFC 3339 timestamp, such as 2026-04-16T00:00:00Z',
  uuid: 'a UUID',
};

function typeWord(type: unknown): string {
  return /^[aio]/.test(String(type)) ? `an ${String(type)}` : `a ${String(type)}`;
}

function unit(schema: unknown): string {
  const word = (schema as Schema | undefined)?.['x-unit'];
  return typeof word === 'string' ? ` ${word}` : '';
}

const MAX_QUOTE_LENGTH = 80;

/** Quotes a short value that is not secret; otherwise describes its type. */
function quoted(value: unknown, secret: boolean): string {
  if (typeof value === 'string' && !secret) {
    return value.length <= MAX_QUOTE_LENGTH ? JSON.stringify(value) : `a string of ${[...value].length} characters`;
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if ((typeof value === 'number' || typeof value === 'boolean') && !secret) return String(value);
  return typeWord(typeof value);
}

/** Whether a value is secret according to its schema, nested schemas, its name or a parent's name, or as an environment variable. */
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
