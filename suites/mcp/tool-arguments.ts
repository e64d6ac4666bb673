/** Arguments that fit a tool's input schema: made from the schema, and kept only where a validator agrees. */
import { newAjv } from '../../spec/ajv.ts';
import { sampleOf } from './schema-sample.ts';
import type { Schema } from './schema-sample.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/**
 * With the required members alone, then, where they differ, with all that can be filled; none where no value could be
 * made.
 */
export function argumentsFor(inputSchema: object): Arguments[] {
  const schema = withoutDialect(inputSchema);
  const samples = (['required', 'all'] as const).flatMap((members) => sampleOf(schema, members));
  const fits = validatorOf(schema);
  const distinct = new Map(samples.filter(fits).map((sample) => [JSON.stringify(sample), sample as Arguments]));
  return [...distinct.values()];
}

/**
 * Of draft 7 and of 2020-12 the words that a tool uses mean the same; the validator knows only the later one by name.
 */
function withoutDialect(schema: object): Schema {
  const { $schema: _schema, $id: _id, ...rest } = schema as Schema;
  return rest;
}

/** A schema that cannot be read fits nothing. */
function validatorOf(schema: Schema): (value: unknown) => boolean {
  const ajv = newAjv({ strict: false, validateFormats: false, logger: false });
  try {
    const validate = ajv.compile(schema);
    return (value) => validate(value) === true;
  } catch {
    return () => false;
  }
}
