/** Observes undocumented behavior of tree requests. */
import type { WhatOf } from '../../spec/observations/observation.ts';
import type { ObservedResponse } from '../../spec/observations/response-kinds.ts';
import { parseInstant } from '../../spec/rfc3339.ts';
import { bodyShape } from '../expect/body-shape.ts';
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { RawRequest } from '../target/request-types.ts';
import { entriesOf } from '../kit/sandbox/listing.ts';
import { newDirectory, newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';

/** Status, and which members the body has. */
const observed = ({ response }: Exchange): ObservedResponse => ({ status: response.status, body: bodyShape(response) });

/** Reads only. */
export async function observeUnwritten(run: Run): Promise<void> {
  const { client } = run;
  const missingPath = `${await newDirectory(run)}/none`;
  await observeEach(run, {
    'the root of the sandbox': async () => observed(await client.call('getSandboxRoot')),
    'a read of an unknown path': async () => observed(await client.call('readTree', { path: { path: missingPath } })),
    'the list of uploads': async () => observed(await client.call('listMultipartUploads')),
  });
}

type Observations = { readonly [W in TreeWhat]?: () => Promise<ObservedResponse> };

async function observeEach(run: Run, observations: Observations): Promise<void> {
  const observe = async (what: TreeWhat) => {
    run.observe(what, await observations[what]!());
    return [];
  };
  await run.forEach(Object.keys(observations) as TreeWhat[], observe, { sequential: true });
}

interface WrittenDirectory {
  readonly top: string;
  readonly written: Exchange;
  readonly read: Exchange;
}

const readDirectory = sharedValue<WrittenDirectory>();
const changedDirectory = sharedValue<string>();

const FILES = { 'f.txt': 'x', 'a/f.txt': 'x', '.hidden': 'x' };

export async function observeTree(run: Run): Promise<void> {
  await observeReads(run);
  const top = await changedDirectory.get(run, async () => {
    const path = await newWritableDirectory(run);
    await putTree(run, path, FILES);
    return path;
  });
  const writes = edgeCaseWrites(top).map(([what, path, files]) => [what, () => putTree(run, path, files)] as const);
  const bodies = edgeCaseBodies(top).map(([what, request]) => [what, () => run.client.send(request)] as const);
  const observations = [...writes, ...bodies].map(([what, send]) => [what, async () => observed(await send())]);
  await observeEach(run, Object.fromEntries(observations) as Observations);
  await run.forEach(['the other files of a refused write'], async () => {
    await observePartialWrites(run);
    return [];
  });
}

const OTHER_NAMES = Array.from({ length: 9 }, (_, number) => `other-${number}.txt`);
/** Files may be written in random order, so that the bad one may be the first. */
const PARTIAL_TRIES = 3;

/** Writes several files, of which one is at the path of a directory. Observes nothing if that is accepted. */
async function observePartialWrites(run: Run): Promise<void> {
  for (let tried = 1; tried <= PARTIAL_TRIES; tried += 1) {
    const top = await newWritableDirectory(run);
    await putTree(run, top, { 'below/f.txt': 'x' });
    const files = [...OTHER_NAMES.slice(0, 4), 'below', ...OTHER_NAMES.slice(4)].map((name) => [name, 'x']);
    const refused = await putTree(run, top, Object.fromEntries(files));
    if (isSuccessful(refused)) return;
    const listing = await putTree(run, top, { 'listed.txt': 'x' });
    const isWritten = entriesOf(listing, 'files').some((entry) => OTHER_NAMES.includes(String(entry?.['name'])));
    if (isWritten || tried === PARTIAL_TRIES)
      return run.observe('other files of a refused write', isWritten ? 'written' : 'not written');
  }
}

async function observeReads(run: Run): Promise<void> {
  const { client } = run;
  const { top, written, read } = await readDirectory.get(run, async () => {
    const path = await newWritableDirectory(run);
    const exchange = await putTree(run, path, FILES);
    return { top: path, written: exchange, read: await client.call('readTree', { path: { path } }) };
  });
  await run.forEach(['the listing of a write'], async () => {
    observeListing(run, top, written);
    return [];
  });
  const spelled = spellings(top).map(([what, path]) => [
    what,
    async () => {
      const exchange = await client.send({ surface: 'sandbox', method: 'GET', path: `/filesystem/tree/${path}` });
      return { ...observed(exchange), ...(sameBody(exchange, read) && { sameBodyAs: 'the plain path' as const }) };
    },
  ]);
  await observeEach(run, {
    'a read of a directory': async () => ({
      ...observed(read),
      ...(sameBody(read, written) && { sameBodyAs: 'the write' as const }),
    }),
    ...(Object.fromEntries(spelled) as Observations),
    'a read of a file': async () => observed(await client.call('readTree', { path: { path: `${top}/f.txt` } })),
  });
}

function observeListing(run: Run, top: string, exchange: Exchange): void {
  const file = entriesOf(exchange, 'files').find((entry) => entry?.['name'] === 'f.txt');
  const text = (member: string) => String(file?.[member]);
  const orNull = (member: string) => (file?.[member] === undefined ? null : text(member));
  run.observe('owner and group of a file', { owner: orNull('owner'), group: orNull('group') });
  run.observe('the format of permissions', permissionsFormat(text('permissions')));
  run.observe('the format of lastModified', instantFormat(text('lastModified')));
  run.observe('the format of paths', pathFormat(text('path'), top));
  const hidden = entriesOf(exchange, 'files').some((entry) => entry?.['name'] === '.hidden');
  run.observe('a file whose name begins with a dot', hidden ? 'listed' : 'not listed');
}

function permissionsFormat(text: string) {
  if (/^0o?[0-7]{3,4}$/.test(text)) return 'octal with a leading 0';
  if (/^[0-7]{3}$/.test(text)) return 'octal';
  return /^[-d]?([r-][w-][xst-]){3}$/i.test(text) ? 'as in ls -l' : 'another format';
}

function instantFormat(text: string) {
  if (parseInstant(text) === undefined) return 'not RFC 3339';
  return /z$/i.test(text) ? 'RFC 3339 with Z' : 'RFC 3339 with an offset';
}

function pathFormat(path: string, directory: string) {
  const format = path.startsWith('/') ? 'absolute' : 'relative';
  return path.endsWith(`${directory}/f.txt`) ? format : (`${format}, without the directory` as const);
}

function sameBody({ response: a }: Exchange, { response: b }: Exchange): boolean {
  return a.json !== undefined && JSON.stringify(a.json) === JSON.stringify(b.json);
}

function spellings(top: string): [What, string][] {
  return [
    ['a read by a path with a leading slash', `/${top}`],
    ['a read by a path with a leading slash, encoded', `%2F${top}`],
    ['a read by a path with encoded slashes', encodeURIComponent(top)],
    ['a read by a path with a slash at the end', `${top}/`],
    ['a read by a path with . in it', `${top}/./`],
    ['a read by a path with .. in it', `${top}/a/..`],
    ['a read by a path with .. encoded', `${top}/a/%2e%2e`],
    ['a read of an encoded percent sign', `${top}/%25`],
  ];
}

type What = WhatOf<'sandbox.undocumented.answers'> & `a ${'read' | 'write'} ${string}`;
type TreeWhat = What | 'the root of the sandbox' | 'the list of uploads';
type EdgeCaseWrite = [what: What, path: string, files: Record<string, string>];

/** Whatever a target makes of these paths, it is below the run's own directory. */
function edgeCaseWrites(top: string): EdgeCaseWrite[] {
  return [
    ['a write of no files', top, {}],
    ['a write of a file where a directory is', top, { a: 'x' }],
    ['a write of a file below a file', top, { 'f.txt/below.txt': 'x' }],
    ['a write to the path of a file', `${top}/f.txt`, { 'below.txt': 'x' }],
    ['a write of an empty path', top, { '': 'x' }],
    ['a write of a path that ends in a slash', top, { 'b/': 'x' }],
    ['a write of a path with a double slash', top, { 'c//f.txt': 'x' }],
    ['a write of a path that begins with ./', top, { './d.txt': 'x' }],
    ['a write of a path with .. in it', top, { 'a/../e.txt': 'x' }],
    ['a write of an absolute path', top, { [`/${top}/g.txt`]: 'x' }],
  ];
}

function edgeCaseBodies(top: string): [What, RawRequest][] {
  const bodies: [What, string][] = [
    ['a write without files', '{}'],
    ['a write with files null', '{"files": null}'],
    ['a write with a content of null', '{"files": {"h.txt": null}}'],
    ['a write with an additional member', '{"files": {"i.txt": "x"}, "assay": true}'],
    ['a write of a list', '[]'],
    ['a write of malformed JSON', '{"files": {"j.txt": "x"}'],
    ['a write without a body', ''],
  ];
  const headers = { 'Content-Type': 'application/json' };
  return bodies.map(([what, body]) => [
    what,
    { surface: 'sandbox', method: 'PUT', path: `/filesystem/tree/${top}`, headers, body },
  ]);
}
