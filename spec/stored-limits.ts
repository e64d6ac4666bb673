/** A later version may return what an earlier one has stored: a limit that it made stricter holds for requests only. */
import { earliestName } from './in-version.ts';
import type { Schema } from './openapi-document.ts';

const limits = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];

/** The schema of a later version with the limits of the same schema in the earliest one. References are not followed. */
export function withStoredLimits(later: Schema, earliest: Schema | undefined): Schema {
  if (earliest === undefined || later === earliest) return later;
  const own = Object.entries(later).filter(([keyword]) => !limits.includes(keyword));
  const stored = Object.entries(earliest).filter(([keyword]) => limits.includes(keyword));
  const { properties, items, anyOf } = later;
  return {
    ...Object.fromEntries([...own, ...stored]),
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
