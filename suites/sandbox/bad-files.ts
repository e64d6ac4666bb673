/** Invalid values of `files` in a tree write, without null (decision 016). */
import * as fc from 'fast-check';
import { rotate } from '../kit/rotate.ts';
import { fieldsOf, isFields, isOmitted } from '../json/fields.ts';

/** Whether the `files` of a body are of another type, or contain a value of another type. Null is observed (decision 050). */
export function hasBadFiles(body: unknown): boolean {
  const files = fieldsOf(body)?.['files'];
  if (isOmitted(files)) return false;
  return !isFields(files) || Object.values(files).some((content) => !isOmitted(content) && typeof content !== 'string');
}

const nonStrings: readonly unknown[] = [0, 1, -1.5, true, false, [], ['text'], {}, { content: 'text' }];

/** An existing file, new ones, and files in a new directory. */
const goodFiles: readonly (readonly [string, string])[] = [
  ['f.txt', 'overwritten'],
  ['new.txt', 'new'],
  ['sub/new.txt', 'new'],
  ...Array.from({ length: 6 }, (_, at): [string, string] => [`sub/more-${at}.txt`, 'more']),
];

const asFiles = (entries: readonly (readonly [string, unknown])[]): unknown => Object.fromEntries(entries);

/** The valid files with one invalid content at an index. It replaces the valid file of the same name. */
function withBad(bad: unknown, name: string, at: number): unknown {
  const good = goodFiles.filter(([other]) => other !== name);
  return asFiles([...good.slice(0, at), [name, bad], ...good.slice(at)]);
}

const nonObjects: readonly unknown[] = [[], ['text'], [['f.txt', 'text']], '', 'text', 0, 1, true, false];

/** First, in the middle, last, instead of a valid one, and in another directory. */
const placements: readonly ((bad: unknown) => unknown)[] = [
  (bad) => withBad(bad, 'bad.txt', 0),
  (bad) => withBad(bad, 'bad.txt', 2),
  (bad) => withBad(bad, 'bad.txt', goodFiles.length),
  (bad) => withBad(bad, 'f.txt', goodFiles.length),
  (bad) => withBad(bad, 'sub/bad.txt', goodFiles.length),
];

/** Values that are not objects; then each invalid content alone, and among valid ones in two places in turn. */
export const badFilesExamples: readonly unknown[] = [
  ...nonObjects,
  ...nonStrings.map((bad) => asFiles([['bad.txt', bad]])),
  ...rotate(nonStrings, placements, 2).map(([bad, place]) => place(bad)),
];

const nonString = fc.oneof(fc.constantFrom(...nonStrings), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Valid files with one invalid content among them. */
export const badFiles: fc.Arbitrary<unknown> = fc
  .record({
    bad: nonString,
    name: fc.constantFrom('bad.txt', 'f.txt', 'sub/bad.txt'),
    at: fc.nat({ max: goodFiles.length }),
  })
  .map(({ bad, name, at }) => withBad(bad, name, at));
