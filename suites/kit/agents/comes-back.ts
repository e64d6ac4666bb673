/** Whether an answer shows an agent as it was sent, allowing for what a conforming server may make of it. */
import { documentOf, resolve } from '../../../spec/documents.ts';
import type { Schema } from '../../../spec/documents.ts';
import type { Mismatch } from '../../engine/conforms.ts';
import { isFields, isLeftOut } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import type { Exchange } from '../../target/client.ts';

const document = documentOf('management');
const agentSchema: Schema = { $ref: '#/components/schemas/Agent' };

interface Difference {
  readonly at: string;
  readonly sent: unknown;
  readonly shown: unknown;
}

/**
 * Further members may stand beside what was sent, elements of a list in another order, and a field that has its default
 * or is empty may be left out. Read-only members and the values of secret variables are not looked at.
 */
export function comesBack(sent: object, exchange: Exchange): Mismatch[] {
  return differences(agentSchema, sent, exchange.answer.json, '').map(({ at, sent: wanted, shown }) => ({
    expected: `${at.slice(1) || 'an agent'}: ${brief(wanted)}`,
    actual: `${at.slice(1) || 'the body'}: ${brief(shown)}`,
    exchange,
  }));
}

const brief = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value).slice(0, 120));

function differences(schema: Schema, sent: unknown, shown: unknown, at: string): Difference[] {
  const known = resolve<Schema>(document, schema);
  if (known.readOnly === true) return [];
  const different = [{ at, sent, shown }];
  if (isLeftOut(shown)) return mayBeLeftOut(known, sent) ? [] : different;
  if (Array.isArray(sent)) return Array.isArray(shown) ? inLists(known.items ?? {}, sent, shown, at) : different;
  if (isFields(sent)) return isFields(shown) ? inMembers(known, sent, shown, at) : different;
  return sent === shown || (at === POPULATED && isText(shown)) ? [] : different;
}

/** "Auto-populated at deployment": another image may come back than the one that was sent. */
const POPULATED = '.spec.runtime.image';
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function mayBeLeftOut({ default: standard }: Schema, sent: unknown): boolean {
  return standard === undefined ? isEmpty(sent) : sent === standard;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === false || value === 0 || value === '';
}

function inMembers(schema: Schema, sent: Fields, shown: Fields, at: string): Difference[] {
  const schemaOf = (name: string): Schema => schema.properties?.[name] ?? {};
  const compared = Object.keys(sent).filter(
    (name) => !(sent['secret'] === true && schemaOf(name)['x-secret'] === true),
  );
  return compared.flatMap((name) => differences(schemaOf(name), sent[name], own(shown, name), `${at}.${name}`));
}

const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

function inLists(items: Schema, sent: readonly unknown[], shown: readonly unknown[], at: string): Difference[] {
  if (sent.length !== shown.length) return [{ at: `${at}.length`, sent: sent.length, shown: shown.length }];
  const inPlace = sent.flatMap((element, index) => differences(items, element, shown[index], `${at}[${index}]`));
  return inPlace.length === 0 || isReordered(items, sent, shown) ? [] : inPlace;
}

/** Whether every element sent has an element of its own that shows it. */
function isReordered(items: Schema, sent: readonly unknown[], shown: readonly unknown[]): boolean {
  const left = [...shown];
  return sent.every((element) => {
    const found = left.findIndex((each) => differences(items, element, each, '').length === 0);
    if (found !== -1) left.splice(found, 1);
    return found !== -1;
  });
}
