/** Makes the JSON Schema of target files accept references to environment variables, such as `${NAME}`, in every value. */

type JsonSchema = Readonly<Record<string, unknown>>;

/** Where a schema says that a value may be a reference. */
export const REFERENCE = '#/$defs/Reference';

const reference: JsonSchema = {
  type: 'string',
  pattern: String.raw`\$\{`,
  description: 'Contains ${NAME} or ${NAME:-default}, which are replaced from the environment.',
};

/** Of values that the text of a reference need not match. */
const restrictions = ['format', 'pattern', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum'];

/** `schema`: of a whole file. */
export const allowReferences = (schema: JsonSchema): JsonSchema => {
  const { $defs = {}, ...allowing } = withReferences(schema) as JsonSchema & { $defs?: JsonSchema };
  return { ...allowing, $defs: { ...$defs, Reference: reference } };
};

/** Keys are never replaced. */
function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { description, ...rest } = schema as JsonSchema;
  const isLeaf = ['string', 'number', 'integer', 'boolean'].includes(String(rest['type']));
  if (isLeaf && (rest['type'] !== 'string' || restrictions.some((key) => key in rest)))
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, { $ref: REFERENCE }] };
  return Object.fromEntries(
    Object.entries(schema).map(([key, each]: [string, unknown]) => [
      key,
      key === 'propertyNames' ? each : withReferences(each),
    ]),
  );
}
