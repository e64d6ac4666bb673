/** Compares a returned agent with the sent one, allowing what a conforming server may change. */
import { documentOf, resolve } from '../../../spec/documents.ts';
import type { Schema } from '../../../spec/documents.ts';
import type { Mismatch } from '../../engine/conforms.ts';
import { isFields, isOmitted } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import type { Exchange } from '../../target/client.ts';

const document = documentOf('management');
const agentSchema: Schema = { $ref: '#/components/schemas/Agent' };

interface Difference {
  readonly at: string;
  readonly sent: unknown;
  readonly returned: unknown;
}

/**
 * The response may contain further members and reordered lists, and may omit fields with default or empty values.
 * Read-only members and the values of secret variables are not compared.
 */
export function roundTripMismatches(sent: object, exchange: Exchange): Mismatch[] {
  return differences(agentSchema, sent, exchange.response.json, '').map(({ at, sent: expected, returned }) => ({
    expected: `${at.slice(1) || 'an agent'}: ${abbreviate(expected)}`,
    actual: `${at.slice(1) || 'the body'}: ${abbreviate(returned)}`,
    exchange,
  }));
}

const abbreviate = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value).slice(0, 120));

function differences(schema: Schema, sent: unknown, returned: unknown, at: string): Difference[] {
  const known = resolve<Schema>(document, schema);
  if (known.readOnly === true) return [];
  const different = [{ at, sent, returned }];
  if (isOmitted(returned)) return mayBeOmitted(known, sent) ? [] : different;
  if (Array.isArray(sent))
    return Array.isArray(returned) ? listDifferences(known.items ?? {}, sent, returned, at) : different;
  if (isFields(sent)) return isFields(returned) ? memberDifferences(known, sent, returned, at) : different;
  return sent === returned || (at === SERVER_POPULATED && isText(returned)) ? [] : different;
}

/** "Auto-populated at deployment": the returned image may differ from the sent one. */
const SERVER_POPULATED = '.spec.runtime.image';
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function mayBeOmitted({ default: defaultValue }: Schema, sent: unknown): boolean {
  return defaultValue === undefined ? isEmpty(sent) : sent === defaultValue;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === false || value === 0 || value === '';
}

function memberDifferences(schema: Schema, sent: Fields, returned: Fields, at: string): Difference[] {
  const schemaOf = (name: string): Schema => schema.properties?.[name] ?? {};
  const compared = Object.keys(sent).filter(
    (name) => !(sent['secret'] === true && schemaOf(name)['x-secret'] === true),
  );
  return compared.flatMap((name) =>
    differences(schemaOf(name), sent[name], ownMember(returned, name), `${at}.${name}`),
  );
}

const ownMember = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

function listDifferences(
  items: Schema,
  sent: readonly unknown[],
  returned: readonly unknown[],
  at: string,
): Difference[] {
  if (sent.length !== returned.length) return [{ at: `${at}.length`, sent: sent.length, returned: returned.length }];
  const inOrder = sent.flatMap((element, index) => differences(items, element, returned[index], `${at}[${index}]`));
  return inOrder.length === 0 || isReordered(items, sent, returned) ? [] : inOrder;
}

/** Whether every sent element matches a distinct returned element. */
function isReordered(items: Schema, sent: readonly unknown[], returned: readonly unknown[]): boolean {
  const unmatched = [...returned];
  return sent.every((element) => {
    const index = unmatched.findIndex((each) => differences(items, element, each, '').length === 0);
    if (index !== -1) unmatched.splice(index, 1);
    return index !== -1;
  });
}
