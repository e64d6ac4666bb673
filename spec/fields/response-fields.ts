/** The documented fields of success responses, read from the OpenAPI documents. */
import { documentedOperations } from '../coverage/coverage.ts';
import { surfaces } from '../openapi-document.ts';
import type { OperationId } from '../operations.ts';
import { allowedValues, property, propertyNames, typesOf, type Schema } from '../ruleset/document/schema.mjs';

export type FieldType = 'string' | 'enum' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

export interface ResponseField {
  readonly operation: OperationId;
  /** For example `spec.triggers[].type`; `[]` stands for every element of a list. */
  readonly field: string;
  readonly type: FieldType;
}

/** Every named field of every documented JSON body of a success. */
export const responseFields: readonly ResponseField[] = surfaces
  .flatMap((surface) => documentedOperations(surface))
  .flatMap((operation) =>
    operation.responses
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ contents }) => contents.filter(({ type }) => type === 'application/json'))
      .flatMap(({ schema }) => (schema === undefined ? [] : fieldsOf(schema, '', [])))
      .map(({ field, type }) => ({ operation: operation.id, field, type })),
  );

type Field = Omit<ResponseField, 'operation'>;

/** `outer`: the schemas around this one, to stop at a schema that contains itself. */
function fieldsOf(schema: Schema, field: string, outer: readonly unknown[]): Field[] {
  const [place] = schema.slice(-1);
  if (outer.includes(place?.value)) return [];
  const within = [...outer, place?.value];
  const names = propertyNames(schema).flatMap((name) => {
    const inner = property(schema, name);
    return inner === undefined ? [] : fieldsOf(inner, field === '' ? name : `${field}.${name}`, within);
  });
  const items = property(schema, '[]');
  const type = typeOf(schema);
  const own = field === '' || type === undefined ? [] : [{ field, type }];
  return [...own, ...names, ...(items === undefined ? [] : fieldsOf(items, `${field}[]`, within))];
}

function typeOf(schema: Schema): FieldType | undefined {
  const [type] = typesOf(schema);
  return allowedValues(schema) === undefined ? (type as FieldType | undefined) : 'enum';
}
