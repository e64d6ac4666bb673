/** sandbox.tree.*: tree writes and listings. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { sandboxErrorBody } from '../expect/error-body.ts';
import { isRefused, status, statusClass } from '../expect/status.ts';
import { asciiContent, awkwardContents, unusualContents, textContent } from '../generators/file-content.ts';
import { fileName, unusualDirectoryNames, unusualFileNames } from '../generators/file-name.ts';
import { directoryPath, fileTree, joined } from '../generators/file-tree.ts';
import type { Files } from '../generators/file-tree.ts';
import { forAllSequences } from '../engine/sequence.ts';
import type { Exchange } from '../target/client.ts';
import { badFiles, badFilesExamples } from './bad-files.ts';
import {
  entriesOf,
  isEachOnce,
  isNamed,
  listsFiles,
  listsSizes,
  listsSubdirectories,
  misfits,
} from '../kit/sandbox/listing.ts';
import type { Judge } from '../kit/sandbox/listing.ts';
import { newDirectory, newWritableDirectory, ownDirectory } from '../kit/sandbox/own-directory.ts';
import { unusualNameMismatches } from './unusual-names.ts';
import { directoriesOf, inEveryDirectory, look, putTree, remember, write } from '../kit/sandbox/tree.ts';
import type { TreeModel } from '../kit/sandbox/listing.ts';
import { writersOf } from './writers.ts';
import type { Writer } from './writers.ts';

/** Limits the inputs, since each sends several writes. */
const limitedRuns = ({ runs }: Run, max: number): number => Math.min(runs, max);

const filePath = fc.tuple(directoryPath(0, 2), fileName).map(([directory, name]) => joined(directory, name));

conforms('sandbox.tree.write-answers-listing', async (run) => {
  const { made } = await ownDirectory(run);
  run.check(made === undefined ? [] : status(made, run.rule.values.status));
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
        const exchange = await write(run, top, model, files);
        found.push(...status(exchange, run.rule.values.status));
        found.push(...listsFiles(exchange, model, ''), ...listsSizes(exchange, model, ''));
        found.push(...(await inEveryDirectory(run, top, model, [listsFiles, listsSizes])));
      }
      return found;
    },
    { runs: limitedRuns(run, 15), examples: [{ paths: ['f', 'fa', 'README'], contents: updates }] },
  );
  run.check(await manyEntriesMismatches(run, (number) => `f${number}`, listsFiles));
  run.check(await unusualNameMismatches(run, unusualFileNames, [listsFiles]));
  for (const writer of await writersOf(run)) run.check(await writerMismatches(run, writer));
});

/** After a successful write of any caller, the strongest caller finds the files. */
async function writerMismatches(run: Run, { client }: Writer): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const files = { f: 'new', 'a/f': 'new' };
  const exchange = await putTree({ client }, top, files);
  if (!isSuccessful(exchange)) return []; // Access may be refused later.
  const model: TreeModel = new Map();
  remember(model, files);
  return [...listsFiles(exchange, model, ''), ...(await inEveryDirectory(run, top, model, [listsFiles, listsSizes]))];
}

const MANY_ENTRIES = 110;

/** Listings have no pages. The maximum number of files per write is not documented, so a refusal is accepted. */
async function manyEntriesMismatches(run: Run, pathOf: (number: number) => string, lists: Judge): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  const files = Object.fromEntries(Array.from({ length: MANY_ENTRIES }, (_, number) => [pathOf(number), '']));
  const exchange = await write(run, top, model, files);
  if (!isSuccessful(exchange)) return [];
  const found = lists(exchange, model, '');
  return [...found.slice(0, 5), ...lists(await look(run, top, model, ''), model, '').slice(0, 5)];
}

conforms('sandbox.tree.nested-directories', async (run) => {
  const deep = { 'a/b/c/d/e/f': 'f', 'a/f': 'f', 'ab/f': 'f', 'a-b/c/f': 'f', 'ab/c/fa': 'f', f: 'f' };
  await run.forAll(
    { files: fileTree({ content: asciiContent, minDepth: 1, maxDepth: 4 }), at: directoryPath(0, 1) },
    async ({ files, at }) => {
      const top = await newWritableDirectory(run);
      const model: TreeModel = new Map();
      const exchange = await write(run, top, model, files, at);
      return [
        ...statusClass(exchange, '2xx'),
        ...listsSubdirectories(exchange, model, at),
        ...listsFiles(exchange, model, at),
        ...(await inEveryDirectory(run, top, model, [listsSubdirectories, listsFiles])),
      ];
    },
    { runs: limitedRuns(run, 15), examples: [{ files: deep, at: '' }] },
  );
  run.check(await manyEntriesMismatches(run, (number) => `d${number}/f`, listsSubdirectories));
  const seldom = unusualDirectoryNames.map((name) => `${name}/f`);
  run.check(await unusualNameMismatches(run, seldom, [listsSubdirectories, listsFiles]));
});

const manyFiles = Object.fromEntries(Array.from({ length: 9 }, (_, at): [string, string] => [`more-${at}`, 'new']));

conforms('sandbox.tree.write-keeps-others', async (run) => {
  const tree = fileTree({ content: asciiContent, maxDepth: 2 });
  await run.forAll(
    { first: tree, second: tree, at: directoryPath(0, 2) },
    async ({ first, second, at }) => {
      const top = await newWritableDirectory(run);
      const model: TreeModel = new Map();
      const exchanges = [await write(run, top, model, first), await write(run, top, model, second, at)];
      const statusMismatches = exchanges.flatMap((exchange) => statusClass(exchange, '2xx'));
      return [
        ...statusMismatches,
        ...(await inEveryDirectory(run, top, model, [listsFiles, listsSizes, listsSubdirectories])),
      ];
    },
    {
      runs: limitedRuns(run, 15),
      examples: [
        { first: { f: 'kept', 'a/f': 'kept', 'a/b/f': 'kept' }, second: { fa: 'new' }, at: '' },
        { first: { f: 'kept', 'a/f': 'kept', 'a/ab/f': 'kept' }, second: { 'a/fa': 'new' }, at: '' },
        { first: { f: 'kept', 'a/f': 'kept', 'ab/f': 'kept' }, second: { fa: 'new', f: 'new too' }, at: 'a' },
        { first: { f: 'kept', 'a/f': 'kept' }, second: manyFiles, at: '' },
      ],
    },
  );
  run.check(await emptyWriteMismatches(run), await concurrentWriteMismatches(run));
});

/** A write without files may be refused. It must not remove any. */
async function emptyWriteMismatches(run: Run): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  const first = await write(run, top, model, { f: 'kept', 'a/f': 'kept' });
  if (!isSuccessful(first)) return statusClass(first, '2xx');
  await putTree(run, top, {});
  return inEveryDirectory(run, top, model, [listsFiles, listsSubdirectories]);
}

/** Concurrent writes of distinct files. */
async function concurrentWriteMismatches(run: Run): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  await write(run, top, model, { f: 'kept' });
  const names = Array.from({ length: 6 }, (_, at) => `at-once-${at}`);
  const writeOne = async (name: string): Promise<void> => {
    const files = { [name]: 'kept' };
    // A write may be refused while another one is in progress.
    if (isSuccessful(await putTree(run, top, files))) remember(model, files);
  };
  await Promise.all(names.map(writeOne));
  return inEveryDirectory(run, top, model, [listsFiles]);
}

conforms('sandbox.tree.size-in-bytes', async (run) => {
  const longer = 'é'.repeat(300);
  const examples = awkwardContents.flatMap((content) => [
    { first: content, second: longer, otherContent: 'x' },
    { first: longer, second: content, otherContent: content },
  ]);
  await run.forAll(
    { first: textContent, second: textContent, otherContent: textContent },
    async ({ first, second, otherContent }) => {
      const top = await newWritableDirectory(run);
      const model: TreeModel = new Map();
      const written = await write(run, top, model, { f: first, 'größe.txt': otherContent, 'a/f': otherContent });
      const writtenSizes = [...statusClass(written, '2xx'), ...everySize(written, model, '')];
      const updated = await write(run, top, model, { f: second, 'a/f': first });
      const updatedSizes = [...statusClass(updated, '2xx'), ...everySize(updated, model, '')];
      const nested = await look(run, top, model, 'a');
      return [...writtenSizes, ...updatedSizes, ...everySize(nested, model, 'a')];
    },
    { examples, runs: limitedRuns(run, 20) },
  );
  for (const length of [255, 256, 32_767, 32_768, 65_535, 65_536])
    run.check(await sizeMismatches(run, 'x'.repeat(length)));
  // Of three bytes a character: where a piece of a round number of bytes ends, it is inside of one.
  run.check(await sizeMismatches(run, '日'.repeat(22_000)));
  for (const content of unusualContents) run.check(await sizeMismatches(run, content));
});

/** Also checks that the files are listed. */
function everySize(exchange: Exchange, model: TreeModel, directory: string): Mismatch[] {
  return [...listsFiles(exchange, model, directory), ...listsSizes(exchange, model, directory)];
}

/** The maximum file size is not documented. */
const ALWAYS_ACCEPTED_BYTES = 1024;

/** Content that may be refused for its length or its control characters. */
const mayBeRefused = (content: string): boolean =>
  Buffer.byteLength(content) > ALWAYS_ACCEPTED_BYTES || /\p{Cc}/u.test(content);

async function sizeMismatches(run: Run, content: string): Promise<Mismatch[]> {
  const model: TreeModel = new Map();
  const exchange = await write(run, await newWritableDirectory(run), model, { f: content });
  if (mayBeRefused(content) && isRefused(exchange)) return [];
  return [...statusClass(exchange, '2xx'), ...everySize(exchange, model, '')];
}

conforms('sandbox.tree.listing-shape', async (run) => {
  const tree = fileTree({ content: textContent });
  let listed = 0;
  await run.forAll(
    { first: tree, second: tree },
    async ({ first, second }) => {
      const top = await newWritableDirectory(run);
      const model: TreeModel = new Map();
      const exchanges = [await write(run, top, model, first), await write(run, top, model, { ...first, ...second })];
      for (const directory of directoriesOf(model)) exchanges.push(await look(run, top, model, directory));
      for (const exchange of exchanges) listed += entriesOf(exchange, 'files').length;
      return exchanges.flatMap((exchange) => [
        ...statusClass(exchange, '2xx'),
        ...misfits(exchange),
        ...isNamed(exchange),
        ...isEachOnce(exchange),
      ]);
    },
    {
      runs: limitedRuns(run, 15),
      examples: [
        { first: { 'a/f': '' }, second: { 'ab/f': '', 'a/b/f': '' } },
        { first: { f: '' }, second: { f: 'x', fa: 'x' } },
      ],
    },
  );
  run.need(listed, 'a listing that has a file');
});

const spelledPaths = ['f', 'a b', 'ü/日本', 'lib.d/v1.2', "x+y/p&q=r/it's", 'a/ab/a-b/a/ab', '$HOME', 'a~b,c@d!e'];

conforms('sandbox.tree.readable-after-write', async (run) => {
  const top = await newWritableDirectory(run);
  const paths = spelledPaths.map((path) => `${top}/${path}`);
  for (const path of paths)
    run.check(statusClass(await putTree(run, path, { 'f.txt': 'x', 'below/f.txt': '' }), '2xx'));
  run.check(statusClass(await putTree(run, top, { 'only/nested/f.txt': '' }), '2xx'));
  const made = [top, `${top}/only`, `${top}/only/nested`, ...paths, ...paths.map((path) => `${path}/below`)];
  const reads = [...made, ...paths].map((path) => readable(() => run.client.call('readTree', { path: { path } }), run));
  const encoded = paths.map((path) => readable(() => readEncoded(run, path), run));
  run.check(...(await Promise.all([...reads, ...encoded])));
  for (const path of [top, ...paths]) {
    run.check(statusClass(await putTree(run, path, { 'f.txt': 'updated' }), '2xx'));
    run.check(await readable(() => run.client.call('readTree', { path: { path } }), run));
  }
});

async function readable(read: () => Promise<Exchange>, { patienceSeconds }: Run): Promise<Mismatch[]> {
  return statusClass(await eventually(read, isSuccessful, patienceSeconds), '2xx');
}

/** Percent-encodes every byte of the path, which is equivalent (RFC 3986 6.2.2.2). */
async function readEncoded({ client }: Run, path: string): Promise<Exchange> {
  const segment = (name: string) =>
    [...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const encoded = path.split('/').map(segment).join('/');
  const exchange = await client.send({ surface: 'sandbox', method: 'GET', path: `/filesystem/tree/${encoded}` });
  return isPathRedirect(exchange) ? client.call('readTree', { path: { path } }) : exchange;
}

/** A redirect to another spelling of the same path, as a gateway may send. */
function isPathRedirect({ request: { url }, response: { status: code, headers } }: Exchange): boolean {
  const location = headers['location'] ?? url;
  const isRedirect = [301, 302, 307, 308].includes(code) && URL.canParse(location, url);
  return isRedirect && new URL(location, url).href !== url && decodedPath(location, url) === decodedPath(url, url);
}

function decodedPath(location: string, base: string): string | undefined {
  try {
    return decodeURIComponent(new URL(location, base).pathname);
  } catch {
    return undefined; // No path that we asked for.
  }
}

conforms('sandbox.tree.bad-body-rejected', async (run) => {
  await run.forAll({ files: badFiles }, ({ files }) => rejectionMismatches(run, files), {
    runs: limitedRuns(run, 15),
    examples: badFilesExamples.map((files) => ({ files })),
  });
});

/** Refused for an existing directory, which must not change, and for a new one, which must not be created. */
async function rejectionMismatches(run: Run, files: unknown): Promise<Mismatch[]> {
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  const control = await write(run, top, model, { f: 'kept' });
  run.need(isSuccessful(control), 'a tree write that is accepted');
  const refuse = (path: string) => run.client.call('writeTree', { path: { path }, body: { files } });
  const refused = [await refuse(top), await refuse(`${top}/none`)];
  const after = await look(run, top, model, '');
  const effect = [listsFiles, listsSizes, listsSubdirectories].flatMap((judge) => judge(after, model, ''));
  return [
    ...refused.flatMap((exchange) => [...statusClass(exchange, '4xx'), ...sandboxErrorBody(exchange)]),
    ...effect.map((found) => ({ ...found, before: refused })),
  ];
}

interface WriteStep {
  readonly at: string;
  readonly files: Files;
}

conforms('sandbox.tree.any-sequence-follows-the-model', async (run) => {
  await forAllSequences<WriteStep, { top: string; files: TreeModel }>(run, {
    step: fc.record({ at: directoryPath(0, 1), files: fileTree({ content: textContent, maxDepth: 1, maxFiles: 3 }) }),
    start: async () => ({ model: { top: await newWritableDirectory(run), files: new Map() }, exchanges: [] }),
    runStep: async ({ top, files: model }, { at, files }) => {
      const judges = [listsFiles, listsSizes, listsSubdirectories];
      const written = await write(run, top, model, files, at);
      const responseMismatches = [
        ...statusClass(written, '2xx'),
        ...judges.flatMap((judge) => judge(written, model, at)),
      ];
      return {
        exchanges: [written],
        mismatches: [...responseMismatches, ...(await inEveryDirectory(run, top, model, judges))],
      };
    },
    runs: limitedRuns(run, 8),
    examples: [
      [
        { at: '', files: { f: 'one', 'a/f': 'two' } },
        { at: 'a', files: { f: '', fa: 'ü' } },
        { at: '', files: { f: 'longer than one', 'ab/f': 'x' } },
        { at: 'a/b', files: { f: 'x' } },
        { at: '', files: { 'a/f': 'again' } },
      ],
    ],
  });
});
