/** The elements that a schema documents for one value: its enum values, its bounds, and what is just outside them. */
import type { Schema } from '../openapi-document.ts';
import type { ElementKind } from './element.ts';

export interface ValueElement {
  /** Continues the name of the field or parameter. */
  readonly says: string;
  readonly kind: ElementKind;
  /** Values of parameters are strings. */
  readonly matches: (value: unknown) => boolean;
}

const valid = (says: string, matches: ValueElement['matches']): ValueElement => ({ says, kind: 'valid', matches });
const invalid = (says: string, matches: ValueElement['matches']): ValueElement => ({ says, kind: 'invalid', matches });

const isNumber = (number: number) => (value: unknown) => value !== '' && Number(value) === number;
const equals = (number: number): [string, ValueElement['matches']] => [`= ${number}`, isNumber(number)];

/** Characters are Unicode code points, as in JSON Schema. */
const hasLength = (length: number) => (value: unknown) => typeof value === 'string' && [...value].length === length;
const characters = (length: number): [string, ValueElement['matches']] => [
  length === 1 ? 'of 1 character' : `of ${length} characters`,
  hasLength(length),
];

const isOneOf = (values: readonly unknown[]) => (value: unknown) => values.includes(value);
const isOtherText = (values: readonly unknown[]) => (value: unknown) =>
  typeof value === 'string' && !values.includes(value);

/** One row per keyword that limits a value. */
const byKeyword: readonly ((schema: Schema) => readonly ValueElement[])[] = [
  ({ type }) => (type === 'boolean' ? [valid('= true', isOneOf([true])), valid('= false', isOneOf([false]))] : []),
  ({ type }) => (type === 'array' ? [valid('with several elements', hasSeveralElements)] : []),
  ({ enum: values }) =>
    values === undefined
      ? []
      : [
          ...values.map((each) => valid(`= ${each}`, isOneOf([each]))),
          invalid('= an unlisted value', isOtherText(values)),
        ],
  ({ minLength: min }) => (min === undefined ? [] : [valid(...characters(min)), invalid(...characters(min - 1))]),
  ({ maxLength: max }) =>
    max === undefined
      ? []
      : [valid(...characters(max - 1)), valid(...characters(max)), invalid(...characters(max + 1))],
  ({ minimum: min }) =>
    min === undefined ? [] : [valid(...equals(min)), valid(...equals(min + 1)), invalid(...equals(min - 1))],
  ({ maximum: max }) =>
    max === undefined ? [] : [valid(...equals(max - 1)), valid(...equals(max)), invalid(...equals(max + 1))],
  ({ 'x-clamped-at': cap }) =>
    typeof cap === 'number' ? [cap - 1, cap, cap + 1].map((each) => valid(...equals(each))) : [],
  ({ pattern }) =>
    pattern === undefined ? [] : [invalid('not of its documented form', isNotOfForm(new RegExp(pattern, 'u')))],
];

/** An empty string is invalid because of its length. */
const isNotOfForm = (form: RegExp) => (value: unknown) =>
  typeof value === 'string' && value !== '' && !form.test(value);

const hasSeveralElements = (value: unknown): boolean => Array.isArray(value) && value.length > 1;

export const elementsOfValue = (schema: Schema): readonly ValueElement[] => byKeyword.flatMap((row) => row(schema));
