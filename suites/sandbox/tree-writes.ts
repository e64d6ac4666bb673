/** sandbox.tree.*: writes of files. */
import { limitedRuns } from './limited-runs.ts';
import * as fc from 'fast-check';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { sandboxErrorBody } from '../expect/error-body.ts';
import { status, statusClass } from '../expect/status.ts';
import { asciiContent } from '../generators/file-content.ts';
import { fileName, unusualDirectoryNames, unusualFileNames } from '../generators/file-name.ts';
import { directoryPath, fileTree, joinPath } from '../generators/file-tree.ts';
import { badFiles, badFilesExamples } from './bad-files.ts';
import { listsFiles, listsSizes, listsSubdirectories } from '../kit/sandbox/listing.ts';
import type { Judge } from '../kit/sandbox/listing.ts';
import { acceptedNames } from '../kit/sandbox/accepted-names.ts';
import { newDirectory, newWritableDirectory, ownDirectory } from '../kit/sandbox/own-directory.ts';
import { unusualNameMismatches } from './unusual-names.ts';
import type { Exchange } from '../target/client.ts';
import { failureAgain } from '../kit/failure-again.ts';
import { inEveryDirectory, listByWriting, putTree, remember, write } from '../kit/sandbox/tree.ts';
import type { TreeModel } from '../kit/sandbox/listing.ts';
import { writersOf } from './writers.ts';
import type { Writer } from './writers.ts';

const filePath = fc.tuple(directoryPath(0, 2), fileName).map(([directory, name]) => joinPath(directory, name));

export async function checkWriteReturnsListing(run: Run): Promise<void> {
  const { created } = await ownDirectory(run);
  run.check(created === undefined ? [] : status(created, 200));
  const names = await acceptedNames(run);
  const updates: [string, string][] = [
    ['1', 'longer than before'],
    ['longer than after', '2'],
    ['', 'no more empty'],
  ];
  await run.forAll(
    {
      paths: fc.uniqueArray(filePath, { minLength: 1, maxLength: 4 }),
      contents: fc.array(fc.tuple(asciiContent, asciiContent), { minLength: 4, maxLength: 4 }),
    },
    async ({ paths, contents }) => {
      const top = await newDirectory(run);
      const model: TreeModel = new Map();
      const found: Mismatch[] = [];
      for (const version of [0, 1]) {
        const files = Object.fromEntries(paths.map((path, at) => [path, contents[at]?.[version] ?? '']));
        if (version === 1) files['new-beside-updates'] = 'new';
        const exchange = await write(run, top, model, names.files(files));
        found.push(...status(exchange, 200));
        found.push(...listsFiles(exchange, model, ''), ...listsSizes(exchange, model, ''));
      }
      return [...found, ...(await inEveryDirectory(run, top, model, [listsFiles, listsSizes], ''))];
    },
    {
      runs: limitedRuns(run, 6),
      sequential: false,
      examples: [
        { paths: ['f', 'fa', 'READ  ME.txt'], contents: updates },
        { paths: ['a/f', 'a/ab/f', 'a%41b', 'x+y/f', "#1!&it's.txt", '😀.txt', '-f'], contents: updates },
      ],
    },
  );
  const tests: Readonly<Record<string, () => Promise<Mismatch[]>>> = {
    'many files': () => manyEntriesMismatches(run, (number) => `f${number}.txt`, listsFiles),
    ...Object.fromEntries(
      (await writersOf(run)).map((writer) => [
        `a write by ${writer.variant.caller} in ${writer.variant.header}`,
        () => writerMismatches(run, writer),
      ]),
    ),
    ...Object.fromEntries(
      unusualFileNames.map((name) => [`the name ${name}`, () => unusualNameMismatches(run, name, [listsFiles])]),
    ),
  };
  await run.forEach(Object.keys(tests), (name) => tests[name]!(), { sequential: false });
}

/** After a successful write of any caller, the strongest caller finds the files. */
async function writerMismatches(run: Run, { client }: Writer): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const files = { 'f.txt': 'new', 'below/f.txt': 'new' };
  const exchange = await putTree(run, top, files, client);
  if (!isSuccessful(exchange)) return []; // Access may be refused later.
  const model: TreeModel = new Map();
  remember(model, files);
  return [
    ...listsFiles(exchange, model, ''),
    ...(await inEveryDirectory(run, top, model, [listsFiles, listsSizes], '')),
  ];
}

const failureMismatches = (
  run: Run,
  top: string,
  failed: Exchange,
  again: () => Promise<Exchange>,
): Promise<Mismatch[]> =>
  failureAgain(
    [failed],
    () => putTree(run, top, PLAIN_FILE),
    async () => [await again()],
  );

const PLAIN_FILE = { 'plain.txt': 'x' };

const MANY_ENTRIES = 110;

/** Listings have no pages. The maximum number of files per write is not documented, so a refusal is accepted. */
async function manyEntriesMismatches(run: Run, pathOf: (number: number) => string, lists: Judge): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  const files = Object.fromEntries(Array.from({ length: MANY_ENTRIES }, (_, number) => [pathOf(number), '']));
  const exchange = await write(run, top, model, files);
  if (!isSuccessful(exchange)) return failureMismatches(run, top, exchange, () => putTree(run, top, files));
  const found = lists(exchange, model, '');
  return [...found.slice(0, 5), ...lists(await listByWriting(run, top, model, ''), model, '').slice(0, 5)];
}

export async function checkNestedDirectories(run: Run): Promise<void> {
  const names = await acceptedNames(run);
  const deep = { 'a/b/c/d/e/f': 'f', 'ab/f': 'f', 'a-b/f': 'f', 'A  B/f': 'f', 'a%41/f': 'f', f: 'f' };
  await run.forAll(
    { files: fileTree({ content: asciiContent, minDepth: 1, maxDepth: 4 }), at: directoryPath(0, 1) },
    async (input) => {
      const [files, at] = [names.files(input.files), names.directory(input.at)];
      const top = await newWritableDirectory(run);
      const model: TreeModel = new Map();
      const exchange = await write(run, top, model, files, at);
      return [
        ...statusClass(exchange, '2xx'),
        ...listsSubdirectories(exchange, model, at),
        ...listsFiles(exchange, model, at),
        ...(await inEveryDirectory(run, top, model, [listsSubdirectories, listsFiles], at)),
      ];
    },
    { runs: limitedRuns(run, 6), sequential: false, examples: [{ files: deep, at: '' }] },
  );
  const judges = [listsSubdirectories, listsFiles];
  const tests: Readonly<Record<string, () => Promise<Mismatch[]>>> = {
    'many directories': () => manyEntriesMismatches(run, (number) => `dir${number}/f.txt`, listsSubdirectories),
    ...Object.fromEntries(
      unusualDirectoryNames.map((name) => [
        `the directory ${name}`,
        () => unusualNameMismatches(run, `${name}/f.txt`, judges),
      ]),
    ),
  };
  await run.forEach(Object.keys(tests), (name) => tests[name]!(), { sequential: false });
}

const manyFiles = Object.fromEntries(Array.from({ length: 9 }, (_, at): [string, string] => [`more-${at}`, 'new']));

export async function checkWriteKeepsOthers(run: Run): Promise<void> {
  const names = await acceptedNames(run);
  const tree = fileTree({ content: asciiContent, maxDepth: 2 });
  await run.forAll(
    { first: tree, second: tree, at: directoryPath(0, 2) },
    async (input) => {
      const [first, second, at] = [names.files(input.first), names.files(input.second), names.directory(input.at)];
      const top = await newWritableDirectory(run);
      const model: TreeModel = new Map();
      const exchanges = [await write(run, top, model, first), await write(run, top, model, second, at)];
      const statusMismatches = exchanges.flatMap((exchange) => statusClass(exchange, '2xx'));
      const judges = [listsFiles, listsSizes, listsSubdirectories];
      return [
        ...statusMismatches,
        ...judges.flatMap((judge) => judge(exchanges[1]!, model, at)),
        ...(await inEveryDirectory(run, top, model, judges, at)),
      ];
    },
    {
      runs: limitedRuns(run, 6),
      sequential: false,
      examples: [
        { first: { f: 'kept', 'a/f': 'kept', 'a/b/f': 'kept' }, second: { fa: 'new' }, at: '' },
        { first: { f: 'kept', 'a/f': 'kept', 'a/ab/f': 'kept' }, second: { 'a/fa': 'new' }, at: '' },
        { first: { f: 'kept', 'a/f': 'kept', 'ab/f': 'kept' }, second: { fa: 'new', f: 'new too' }, at: 'a' },
        { first: { f: 'kept', 'a/f': 'kept' }, second: manyFiles, at: '' },
      ],
    },
  );
  const tests = {
    'a write without files': () => emptyWriteMismatches(run),
    'writes at the same time': () => concurrentWriteMismatches(run),
  };
  await run.forEach(Object.keys(tests) as (keyof typeof tests)[], (name) => tests[name]());
}

/** A write without files may be refused. It must not remove any. */
async function emptyWriteMismatches(run: Run): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  const first = await write(run, top, model, { 'f.txt': 'kept', 'below/f.txt': 'kept' });
  if (!isSuccessful(first)) return statusClass(first, '2xx');
  const emptied = await putTree(run, top, {});
  const failed = await failureMismatches(run, `${top}-plain`, emptied, () => putTree(run, top, {}));
  if (failed.length > 0) return failed;
  return inEveryDirectory(run, top, model, [listsFiles, listsSubdirectories]);
}

/** Concurrent writes of distinct files. */
async function concurrentWriteMismatches(run: Run): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  await write(run, top, model, { 'f.txt': 'kept' });
  const names = Array.from({ length: 6 }, (_, at) => `at-once-${at}.txt`);
  const writeOne = async (name: string): Promise<Exchange> => {
    const files = { [name]: 'kept' };
    const exchange = await putTree(run, top, files);
    // A write may be refused while another one is in progress.
    if (isSuccessful(exchange)) remember(model, files);
    return exchange;
  };
  const writeAll = (): Promise<Exchange[]> => Promise.all(names.map(writeOne));
  const failed = await failureAgain(await writeAll(), () => writeOne('alone.txt'), writeAll);
  return failed.length > 0 ? failed : inEveryDirectory(run, top, model, [listsFiles]);
}

export async function checkBadBodyRejected(run: Run): Promise<void> {
  await run.forAll(
    { files: badFiles, isNew: fc.boolean() },
    ({ files, isNew }) => rejectionMismatches(run, files, isNew),
    {
      runs: limitedRuns(run, 6),
      sequential: false,
      examples: badFilesExamples.map((files, index) => ({ files, isNew: index % 2 === 1 })),
    },
  );
}

/** Refused for an existing directory, which must not change, or for a new one, which must not be created. */
async function rejectionMismatches(run: Run, files: unknown, isNew: boolean): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  const control = await write(run, top, model, { 'f.txt': 'kept' });
  run.need(isSuccessful(control), 'a tree write that is accepted');
  const path = isNew ? `${top}/none` : top;
  const refused = await run.client.call('writeTree', { path: { path }, body: { files } });
  const after = await listByWriting(run, top, model, '');
  const effect = [listsFiles, listsSizes, listsSubdirectories].flatMap((judge) => judge(after, model, ''));
  return [
    ...statusClass(refused, '4xx'),
    ...sandboxErrorBody(refused),
    ...effect.map((found) => ({ ...found, before: [refused] })),
  ];
}
