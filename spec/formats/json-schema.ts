/** The JSON Schema of what users write: before defaults and parsing. */
import type { z } from 'zod';

/** For `z.toJSONSchema`. To a reader of a JSON Schema, `readOnly` would mean that a request must not contain the member. */
export const writtenByUsers = {
  io: 'input',
  override: ({ jsonSchema }) => {
    delete jsonSchema.readOnly;
  },
} as const satisfies Parameters<typeof z.toJSONSchema>[1];
