/** Arguments that match a tool's input schema: generated from the schema and checked with a validator. */
import { newAjv } from '../../spec/ajv.ts';
import { sampleOf } from './schema-sample.ts';
import type { Schema } from './schema-sample.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Arguments with only the required members, and with all members if that differs. Empty if no valid arguments could be
 * generated.
 */
export function argumentsFor(inputSchema: object): Arguments[] {
  const schema = withoutDialect(inputSchema);
  const samples = (['required', 'all'] as const).flatMap((members) => sampleOf(schema, members));
  const fits = validatorOf(schema);
  const distinct = new Map(samples.filter(fits).map((sample) => [JSON.stringify(sample), sample as Arguments]));
  return [...distinct.values()];
}

/**
 * The keywords that tools use mean the same in draft 7 and 2020-12, but the validator only accepts the latter by name.
 */
function withoutDialect(schema: object): Schema {
  const { $schema: _schema, $id: _id, ...rest } = schema as Schema;
  return rest;
}

/** Nothing matches an invalid schema. */
function validatorOf(schema: Schema): (value: unknown) => boolean {
  const ajv = newAjv({ strict: false, validateFormats: false, logger: false });
  try {
    const validate = ajv.compile(schema);
    return (value) => validate(value) === true;
  } catch {
    return () => false;
  }
}
