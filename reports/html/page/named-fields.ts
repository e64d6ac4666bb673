/** Finds the fields of a body that the expected and actual texts of a counterexample name. */
import type { Counterexample } from '../../../spec/verdicts.ts';

/** The names and indexes of a path, as in a JSON pointer: `data[0].cost` is `['data', '0', 'cost']`. */
export type Field = readonly string[];

const PATH = String.raw`[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*`;

/** What names a field: the first words (`resolution daily`), words before a colon (`error: absent`), dotted paths, and pointers. */
const PATTERNS: readonly RegExp[] = [
  new RegExp(`^(${PATH})(?= |:|,|$)`, 'g'),
  new RegExp(`(?<![\\w./"])(${PATH})(?=:)`, 'g'),
  new RegExp(`"(${PATH})"(?=:)`, 'g'),
  new RegExp(`(?<![\\w./"])([A-Za-z_][\\w-]*(?:(?:\\.[A-Za-z_]|\\[\\d)[\\w\\]-]*)+)`, 'g'),
  /(?<![\w/:])\/([\w-]+(?:\/[\w-]+)*)/g,
];

/** What looks like the name of a field but is none: a status of HTTP, and the word for a missing value. */
const NOT_A_FIELD = /\bstatus [\dn]\S*( or \d+)*|\babsent\b/g;

/** Without duplicates. */
export function fieldsNamedIn({ expected, actual }: Counterexample): Field[] {
  const texts = [expected, actual].map((text) => text.replaceAll(NOT_A_FIELD, ''));
  const paths = texts.flatMap((text) =>
    PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path)),
  );
  const fields = paths.map((path) => path.split(/[./[\]]+/).filter((part) => part !== ''));
  return [...new Map(fields.map((field) => [field.join('/'), field])).values()];
}
