/** The format of a `/_mock` body, from a zod schema: its type, its validation and its JSON Schema. */
import { z } from 'zod';
import { InvalidInput } from '../../../spec/formats/invalid-input.ts';
import { writtenByUsers } from '../../../spec/formats/json-schema.ts';
import { readFormat, type SecretPaths } from '../../../spec/formats/read-format.ts';
import { Problem } from '../../http/problems.ts';
import type { BodyFormat } from './control-call.ts';

/** Its `parse` throws a 400 problem that names the first invalid member and what is expected. */
export function bodyFormat<Body>(
  schema: z.ZodType<Body>,
  mayHoldSecret?: SecretPaths,
): Pick<BodyFormat<Body>, 'parse' | 'jsonSchema'> {
  return {
    parse: (value) => rejectInvalidBody(() => readFormat(schema, value, mayHoldSecret)),
    jsonSchema: () => z.toJSONSchema(schema, { ...writtenByUsers, unrepresentable: 'any' }),
  };
}

function rejectInvalidBody<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidInput ? new Problem(400, 'invalid_request', error.message) : error;
  }
}
