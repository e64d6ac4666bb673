/** A later version may return what an earlier one has stored: a limit that it made stricter holds for requests only. */
import { earliestName } from './in-version.ts';
import type { Schema } from './openapi-document.ts';

/** Each with the function that chooses the looser one of two limits. */
const limits = {
  minLength: Math.min,
  minimum: Math.min,
  minItems: Math.min,
  maxLength: Math.max,
  maximum: Math.max,
  maxItems: Math.max,
};

/**
 * The schema of a later version with the looser limits of its own and those of the same schema in the earliest one. References are
 * not followed.
 */
export function withStoredLimits(later: Schema, earliest: Schema | undefined): Schema {
  if (earliest === undefined) return later;
  const others = Object.entries(later).filter(([keyword]) => !Object.hasOwn(limits, keyword));
  const loosened = Object.entries(limits).flatMap(([keyword, looser]) => {
    const [own, stored] = [later[keyword], earliest[keyword]];
    return typeof own === 'number' && typeof stored === 'number' ? [[keyword, looser(own, stored)]] : [];
  });
  const { properties, items, anyOf } = later;
  return {
    ...Object.fromEntries([...others, ...loosened]),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [
          name,
          withStoredLimits(schema, earliest.properties?.[earliestName(name, schema)]),
        ]),
      ),
    }),
    ...(items && { items: withStoredLimits(items, earliest.items) }),
    ...(anyOf && { anyOf: anyOf.map((schema, nth) => withStoredLimits(schema, earliest.anyOf?.[nth])) }),
  };
}
