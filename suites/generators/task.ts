/** One task of a job: an object of arbitrary arguments. */
import * as fc from 'fast-check';

/** JSON values that some databases, languages or frameworks handle wrongly. */
const KEYS = ['id', 'name', 'tasks', 'type', 'a.b', '$set', 'with space', 'größe', '日本', '0', 'Id', 'UPPER'];

const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
  fc.constantFrom('', 'text', 'null', '2026-04-16', 'naïve 日本語 🙂', 'line\nbreak', '"quoted" \\ back', '$HOME'),
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 3 }),
  ),
}));

export type Task = Record<string, unknown>;

export const task: fc.Arbitrary<Task> = fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 5 });
