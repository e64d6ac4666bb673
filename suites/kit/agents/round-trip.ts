/** Compares a returned agent with the sent one, allowing what a conforming server may change. */
import { isDeepStrictEqual } from 'node:util';
import { documentOf } from '../../../spec/documents.ts';
import { resolve } from '../../../spec/openapi-document.ts';
import type { Schema } from '../../../spec/openapi-document.ts';
import type { Mismatch } from '../../engine/conforms.ts';
import { formatBoth } from '../../expect/format-value.ts';
import { isFields, isOmitted } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { unmatched } from '../../json/unmatched.ts';
import type { Run } from '../../engine/run.ts';
import type { Exchange } from '../../target/client.ts';
import { habitsOf, isEmptyValue, newEvidence, NO_HABITS } from './field-habits.ts';
import type { Evidence, FieldHabits } from './field-habits.ts';

const document = documentOf('management');
const agentSchema: Schema = { $ref: '#/components/schemas/Agent' };

interface Difference {
  readonly at: string;
  readonly sent: unknown;
  readonly returned: unknown;
  /** The exchange that showed what the target does with this field. */
  readonly precedent?: Exchange;
}

/**
 * The response may contain further members, reordered lists, and policies, variables, triggers and volumes of the server's own, and may omit fields with default or empty values,
 * and all metadata except the name. Read-only members and the values of secret variables are not compared.
 */
export const roundTripMismatches = (sent: object, exchange: Exchange): Mismatch[] =>
  mismatchesOf(sent, exchange, NO_HABITS, newEvidence());

/**
 * Like `roundTripMismatches`; also requires what earlier responses of the same source in this run have shown (decision 039).
 * `source`: the agent that is updated, or what it has in common with others.
 */
export function consistentRoundTripMismatches(
  run: Pick<Run, 'shared'>,
  source: string,
  sent: object,
  exchange: Exchange,
): Mismatch[] {
  const habits = habitsOf(run, source);
  const evidence = newEvidence();
  const mismatches = mismatchesOf(sent, exchange, habits, evidence);
  habits.noteSent(evidence);
  if (mismatches.length === 0) habits.learn(evidence, exchange);
  return mismatches;
}

function mismatchesOf(sent: object, exchange: Exchange, habits: FieldHabits, evidence: Evidence): Mismatch[] {
  const returned = exchange.response.json;
  const found = differences({ schema: agentSchema, sent, returned, at: '', field: '', habits, evidence });
  return found.map((each) => {
    const field = each.at.slice(1) || 'the body';
    const [expected, actual] = formatBoth(each.sent, each.returned);
    return {
      expected: `${field}: ${expected}`,
      actual: `${field}: ${actual}`,
      exchange,
      ...(each.precedent && { before: [each.precedent] }),
    };
  });
}

interface Comparison {
  readonly schema: Schema;
  readonly sent: unknown;
  readonly returned: unknown;
  /** With the index of each list element. */
  readonly at: string;
  /** With `[]` for each list element. */
  readonly field: string;
  readonly habits: FieldHabits;
  /** Extended while values are compared. */
  readonly evidence: Evidence;
}

function differences(comparison: Comparison): Difference[] {
  const { sent, returned, at, field, evidence } = comparison;
  const schema = resolve<Schema>(document, comparison.schema);
  if (schema.readOnly === true) return [];
  const known = { ...comparison, schema };
  const different = [{ at, sent, returned }];
  if (isOmitted(returned)) return isOmissionAllowed(known) ? omissionPrecedents(known) : different;
  const habit = habitOf(known);
  if (habit !== undefined && (optionalMetadata.has(field) || isDeepStrictEqual(sent, returned)))
    evidence.omittableFields.push(habit);
  if (Array.isArray(sent)) return Array.isArray(returned) ? listDifferences(known, sent, returned) : different;
  if (isFields(sent)) return isFields(returned) ? memberDifferences(known, sent, returned) : different;
  return sent === returned || (at === SERVER_POPULATED && isText(returned)) ? [] : different;
}

/** "Auto-populated at deployment": the returned image may differ from the sent one. */
const SERVER_POPULATED = '.spec.runtime.image';
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Metadata that clients set. Only its name is required, so a response may omit them (decision 017). */
const optionalMetadata: ReadonlySet<string> = new Set(['.metadata.displayName', '.metadata.labels']);

function isOmissionAllowed({ schema, sent, field }: Comparison): boolean {
  if (optionalMetadata.has(field)) return true;
  return schema.default === undefined ? hasOnlyEmptyValues(sent) : sent === schema.default;
}

/** What the target does with such a value of the field, it must do again. Undefined for a value that it must return. */
function habitOf(comparison: Comparison): string | undefined {
  const { field } = comparison;
  if (isDefaultOrEmpty(comparison)) return field;
  return optionalMetadata.has(field) ? `${field} with a value` : undefined;
}

/** An empty value is not omittable if another one is the default. */
const isDefaultOrEmpty = ({ schema, sent }: Comparison): boolean =>
  schema.default === undefined ? isEmptyValue(sent) : sent === schema.default;

/** A target that has returned such a value of the field must not omit it, alone or with its parent. */
function omissionPrecedents(comparison: Comparison): Difference[] {
  const { sent, returned, at, habits } = comparison;
  const habit = habitOf(comparison);
  const precedent = habit === undefined ? undefined : habits.returnedOmittable(habit);
  if (precedent !== undefined) return [{ at, sent, returned, precedent }];
  if (!isFields(sent)) return [];
  return memberDifferences(comparison, sent, {}).filter((member) => member.precedent !== undefined);
}

const hasOnlyEmptyValues = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(hasOnlyEmptyValues) : isEmptyValue(value);

function memberDifferences(comparison: Comparison, sent: Fields, returned: Fields): Difference[] {
  const { schema: outer, at, field } = comparison;
  const schemaOf = (name: string): Schema => outer.properties?.[name] ?? {};
  // Only samples.agentSpec may have others, which a response may omit.
  const isDocumented = (name: string): boolean => outer.properties === undefined || name in outer.properties;
  const isHidden = (name: string): boolean => sent['secret'] === true && schemaOf(name)['x-secret'] === true;
  const compared = Object.keys(sent).filter((name) => isDocumented(name) && !isHidden(name));
  return compared.flatMap((name) =>
    differences({
      ...comparison,
      schema: schemaOf(name),
      sent: sent[name],
      returned: ownMember(returned, name),
      at: `${at}.${name}`,
      field: `${field}.${name}`,
    }),
  );
}

const ownMember = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

function listDifferences(comparison: Comparison, sent: readonly unknown[], all: readonly unknown[]): Difference[] {
  const { schema, at, field, evidence } = comparison;
  const element = { ...comparison, schema: schema.items ?? {}, field: `${field}[]` };
  const matches = (one: unknown, other: unknown): boolean =>
    differences({ ...element, sent: one, returned: other, evidence: newEvidence() }).length === 0;
  const isExtensible = serverAddsTo.has(field);
  if (isExtensible) evidence.sentLists.push({ field, elements: sent });
  const added = isExtensible && all.length > sent.length ? addedElements(comparison, sent, all, matches) : [];
  evidence.addedLists.push({ field, elements: added });
  const returned = all.filter((each) => !added.includes(each));
  if (sent.length !== returned.length) return [{ at: `${at}.length`, sent: sent.length, returned: all.length }];
  const own = newEvidence();
  const inOrder = sent.flatMap((each, index) =>
    differences({ ...element, sent: each, returned: returned[index], at: `${at}[${index}]`, evidence: own }),
  );
  if (inOrder.length === 0) {
    evidence.omittableFields.push(...own.omittableFields);
    return [];
  }
  return unmatched(sent, returned, matches).length > 0 ? inOrder : [];
}

type Matches = (sent: unknown, returned: unknown) => boolean;

/** Lists to which a server may add elements of its own (decision 039). */
const serverAddsTo: ReadonlySet<string> = new Set(
  ['policies', 'runtime.envs', 'triggers', 'volumes'].map((name) => `.spec.${name}`),
);

/** The server's own: none that an update has sent first, and none that is in the list twice. */
function addedElements(
  { field, habits }: Comparison,
  sent: readonly unknown[],
  returned: readonly unknown[],
  matches: Matches,
): unknown[] {
  const [sentBefore, addedBefore] = [habits.sentBefore(field), habits.addedBefore(field)];
  const isOwn = (element: unknown): boolean =>
    addedBefore.some((each) => isDeepStrictEqual(each, element)) || !sentBefore.some((each) => matches(each, element));
  const isOnce = (element: unknown): boolean =>
    returned.filter((each) => isDeepStrictEqual(each, element)).length === 1;
  return unmatched(sent, returned, matches).filter((each) => isOnce(each) && isOwn(each));
}
