import { expect, test } from 'vitest';
import { z } from 'zod';
import { text } from './parts.ts';
import { parseContext, readFormat } from './read-format.ts';

test.each([
  [z.array(text), ['one', '', ''], '[1]: expected a non-empty string, found "".'],
  [z.array(z.strictObject({ id: text })), [{ id: 'one' }, 0, 0], '[1]: 0 is not an object with the keys id.'],
])('of large data, only the first mistake is looked for', (schema, [valid, ...mistakes], message) => {
  const read = (count: number) => {
    const values = [valid, ...Array.from({ length: count }, (_, at) => mistakes[at % 2])];
    return schema.safeParse(values, parseContext(values)).error?.issues.length;
  };
  expect([read(4000), read(20_000)]).toEqual([4000, 1]);
  expect(() => readFormat(schema as z.ZodType, [valid, ...mistakes])).toThrow(message);
});
