/** sandbox.tree.*: listings, file sizes, refused writes and sequences of writes. */
import {
  checkWriteReturnsListing,
  checkNestedDirectories,
  checkWriteKeepsOthers,
  checkBadBodyRejected,
} from './tree-writes.ts';
import { checkPaths, judgePaths } from './listing-paths.ts';
import { limitedRuns } from './limited-runs.ts';
import * as fc from 'fast-check';
import { replyFindings } from '../../spec/validators.ts';
import { conforms } from '../engine/conforms.ts';
import { judges, refuses } from '../judge/judgement.ts';
import { isAboutSomethingElse, isSuccess } from '../kit/resources/seen-resource.ts';
import { writtenFiles } from '../kit/sandbox/seen-tree.ts';
import { sandboxErrorBody } from '../expect/error-body.ts';
import { hasBadFiles } from './bad-files.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { schemaMismatches } from '../expect/schema-mismatches.ts';
import { isRefused, status, statusClass } from '../expect/status.ts';
import { awkwardContents, unusualContents, textContent } from '../generators/file-content.ts';
import { directoryPath, fileTree } from '../generators/file-tree.ts';
import type { Files } from '../generators/file-tree.ts';
import { forAllSequences } from '../engine/sequence.ts';
import type { Exchange } from '../target/client.ts';
import {
  entriesOf,
  isEachOnce,
  isNamed,
  listsAtLeast,
  listsFiles,
  listsSizes,
  listsSubdirectories,
} from '../kit/sandbox/listing.ts';
import { acceptedNames, type AcceptedNames } from '../kit/sandbox/accepted-names.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { directoriesOf, isLimit, listByWriting, putTree, write } from '../kit/sandbox/tree.ts';
import type { TreeModel } from '../kit/sandbox/listing.ts';

judges('sandbox.tree.write-answers-listing', 'writeTree', (seen) => {
  if (isSuccess(seen) && seen.status !== 200) return status(seen.exchange, 200);
  const written = writtenFiles(seen);
  return written && listsAtLeast(seen.exchange, written, 'files');
});

judges('sandbox.tree.nested-directories', 'writeTree', (seen) => {
  const written = writtenFiles(seen);
  if (written === undefined || ![...written.keys()].some((path) => path.includes('/'))) return undefined;
  return listsAtLeast(seen.exchange, written, 'subdirectories');
});

judges('sandbox.tree.size-in-bytes', 'writeTree', (seen) => {
  const written = writtenFiles(seen);
  return written && listsSizes(seen.exchange, written, '');
});

judges('sandbox.tree.listing-shape', 'writeTree', ({ status: code, json, exchange }) =>
  code === 200
    ? [
        ...schemaMismatches(exchange, replyFindings('writeTree', code, json)),
        ...isNamed(exchange),
        ...isEachOnce(exchange),
      ]
    : undefined,
);

judges('sandbox.tree.paths-end-with-names', 'writeTree', judgePaths);

refuses('sandbox.tree.bad-body-rejected', 'writeTree', {
  isFlawed: ({ sent }) => hasBadFiles(sent),
  status: '4xx',
  response: ({ exchange }) => sandboxErrorBody(exchange),
  unless: isAboutSomethingElse,
});

conforms('sandbox.tree.size-in-bytes', async (run) => {
  // Each content as the first, the second and that of another file.
  const contents = [...awkwardContents, 'é'.repeat(300)];
  const examples = contents.map((first, index) => ({
    first,
    second: contents[(index + 1) % contents.length]!,
    otherContent: contents[(index + 2) % contents.length]!,
  }));
  const names = await acceptedNames(run);
  await run.forAll(
    { first: textContent, second: textContent, otherContent: textContent },
    async ({ first, second, otherContent }) => {
      const top = await newWritableDirectory(run);
      const model: TreeModel = new Map();
      const files = names.files({ f: first, 'größe.txt': otherContent, 'a/f': otherContent });
      const written = await write(run, top, model, files);
      const writtenSizes = [...statusClass(written, '2xx'), ...everySize(written, model, '')];
      const updated = await write(run, top, model, names.files({ f: second, 'a/f': first }));
      const updatedSizes = [...statusClass(updated, '2xx'), ...everySize(updated, model, '')];
      const below = names.directory('a');
      const nested = await listByWriting(run, top, model, below);
      return [...writtenSizes, ...updatedSizes, ...everySize(nested, model, below)];
    },
    { examples, runs: limitedRuns(run, 4), sequential: false },
  );
  const repeated = [
    ...[65_536, 32_768, 256, 65_535, 32_767, 255].map((times) => ({ text: 'x', times })),
    // Three bytes per character, so that chunks of a round number of bytes end within a character.
    { text: '日', times: 22_000 },
    { text: 'x', times: 300_000 },
  ];
  const unusual = unusualContents.filter(({ length }) => length < 300_000).map((text) => ({ text, times: 1 }));
  const test = ({ text, times }: (typeof repeated)[number]) => sizeMismatches(run, names, text.repeat(times));
  await run.forEach([...repeated.slice(0, 1), ...unusual, ...repeated.slice(1)], test, { sequential: false });
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

async function sizeMismatches(run: Run, names: AcceptedNames, content: string): Promise<Mismatch[]> {
  const model: TreeModel = new Map();
  const files = { 'f.txt': content };
  const exchange = await write(run, await newWritableDirectory(run), model, files);
  const isUnusual = mayBeRefused(content) || names.files(files)['f.txt'] !== content;
  if (isUnusual && isRefused(exchange))
    return run.skipInput(`a file of ${Buffer.byteLength(content)} bytes that is accepted`);
  return [...statusClass(exchange, '2xx'), ...everySize(exchange, model, '')];
}

const REFUSED_WRITE = 'a tree write that is accepted';

/** Listings of subdirectories per input. */
const MAX_LISTED = 2;

conforms('sandbox.tree.listing-shape', async (run) => {
  const names = await acceptedNames(run);
  const tree = fileTree({ content: textContent });
  let listed = 0;
  await run.forAll(
    { first: tree, second: tree },
    async ({ first, second }) => {
      const top = await newWritableDirectory(run);
      const model: TreeModel = new Map();
      const writes = [first, { ...first, ...second }].map(names.files);
      const exchanges = [];
      for (const files of writes) exchanges.push(await write(run, top, model, files));
      const below = directoriesOf(model).slice(1, 1 + MAX_LISTED);
      for (const directory of below) exchanges.push(await listByWriting(run, top, model, directory));
      if (exchanges.some(isLimit)) return run.skipInput(REFUSED_WRITE);
      for (const exchange of exchanges) listed += entriesOf(exchange, 'files').length;
      return exchanges.flatMap((exchange) => [
        ...statusClass(exchange, '2xx'),
        ...schemaMismatches(exchange),
        ...isNamed(exchange),
        ...isEachOnce(exchange),
      ]);
    },
    {
      runs: limitedRuns(run, 6),
      sequential: false,
      examples: [
        { first: { 'a/f': '' }, second: { 'ab/f': '', 'a/b/f': '' } },
        { first: { f: '' }, second: { f: 'x'.repeat(1024), fa: 'x' } },
      ],
    },
  );
  run.need(listed, 'a listing that has a file');
});

const spelledPaths = ['a b', "x+y/p&q=r/it's", 'ü/日本', 'a/ab/a-b/a/ab', 'lib.d/v1.2', 'f', '$HOME', 'a~b,c@d!e'];

conforms('sandbox.tree.readable-after-write', async (run) => {
  const names = await acceptedNames(run);
  const read = (path: string) => readable(() => run.client.call('readTree', { path: { path } }), run);
  const test = async (spelledPath: string): Promise<Mismatch[]> => {
    const path = `${await newWritableDirectory(run)}/${names.directory(spelledPath)}`;
    const nested = names.directory('only/nested');
    const written = await putTree(run, path, names.files({ 'f.txt': 'x', [`${nested}/f.txt`]: '' }));
    if (isLimit(written)) return run.skipInput(REFUSED_WRITE);
    const reads = [...[path, `${path}/${nested}`].map(read), readable(() => readEncoded(run, path), run)];
    const found = [...statusClass(written, '2xx'), ...(await Promise.all(reads)).flat()];
    if (found.length > 0) return found;
    const updated = await putTree(run, path, { 'f.txt': 'updated' });
    if (isLimit(updated)) return [];
    return [...statusClass(updated, '2xx'), ...(await read(path))];
  };
  await run.forEach(spelledPaths, test, { sequential: false });
});

async function readable(read: () => Promise<Exchange>, { patienceSeconds }: Run): Promise<Mismatch[]> {
  return statusClass(await eventually(read, isSuccessful, patienceSeconds), '2xx');
}

/** Dots, which gateways may refuse if encoded, and plus signs, which other requests encode. */
const SENT_LITERALLY = Buffer.from('.+');

/** Percent-encodes every other byte of the path, which is equivalent (RFC 3986 2.2, 6.2.2.2). */
async function readEncoded({ client }: Run, path: string): Promise<Exchange> {
  const segment = (name: string) =>
    [...Buffer.from(name)]
      .map((byte) => (SENT_LITERALLY.includes(byte) ? String.fromCharCode(byte) : hex(byte)))
      .join('');
  const encoded = path.split('/').map(segment).join('/');
  const exchange = await client.send({ surface: 'sandbox', method: 'GET', path: `/filesystem/tree/${encoded}` });
  return isPathRedirect(exchange) ? client.call('readTree', { path: { path } }) : exchange;
}

const hex = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`;

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
    return undefined; // Not a path that we sent.
  }
}

interface WriteStep {
  readonly at: string;
  readonly files: Files;
}

interface WrittenTree {
  readonly top: string;
  readonly files: TreeModel;
  /** How many steps have been run. */
  steps: number;
}

conforms('sandbox.tree.any-sequence-follows-the-model', async (run) => {
  const names = await acceptedNames(run);
  await forAllSequences<WriteStep, WrittenTree>(run, {
    step: fc.record({ at: directoryPath(0, 1), files: fileTree({ content: textContent, maxDepth: 1, maxFiles: 3 }) }),
    start: async () => ({
      model: { top: await newWritableDirectory(run), files: new Map(), steps: 0 },
      exchanges: [],
    }),
    runStep: async (tree, step) => {
      const { top, files: model } = tree;
      const at = names.directory(step.at);
      const exchanges = [await write(run, top, model, names.files(step.files), at)];
      // The response lists the directory itself; the others take turns.
      const others = directoriesOf(model).filter((directory) => directory !== at);
      const other = others[(tree.steps += 1) % Math.max(others.length, 1)];
      if (other !== undefined) exchanges.push(await listByWriting(run, top, model, other));
      const mismatches = exchanges.flatMap((exchange, index) => [
        ...statusClass(exchange, '2xx'),
        ...[listsFiles, listsSizes, listsSubdirectories].flatMap((judge) =>
          judge(exchange, model, index === 0 ? at : other!),
        ),
      ]);
      return { exchanges, mismatches };
    },
    runs: limitedRuns(run, 6),
    examples: [
      [
        { at: '', files: { f: 'one', 'a/f': 'two' } },
        { at: 'a', files: { f: '', fa: 'ü', constructor: '1', length: '2' } },
        { at: '', files: { f: 'longer than one', 'ab/f': 'x' } },
        { at: 'a/b', files: { f: 'x' } },
        { at: 'a', files: { f: 'again' } },
      ],
    ],
  });
});

conforms('sandbox.tree.write-answers-listing', checkWriteReturnsListing);
conforms('sandbox.tree.nested-directories', checkNestedDirectories);
conforms('sandbox.tree.write-keeps-others', checkWriteKeepsOthers);
conforms('sandbox.tree.bad-body-rejected', checkBadBodyRejected);
conforms('sandbox.tree.paths-end-with-names', checkPaths);
