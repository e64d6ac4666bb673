/** Observes undocumented behavior of tree requests. */
import { parseInstant } from '../../spec/rfc3339.ts';
import type { Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import type { RawRequest } from '../target/request-types.ts';
import { entriesOf } from '../kit/sandbox/listing.ts';
import { newDirectory, newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';

/** Status, and which members the body has. */
export function describeResponse({ response: { status, json, text } }: Exchange): string {
  if (json === undefined) return text === '' ? `${status}, no body` : `${status}, no JSON`;
  if (typeof json !== 'object' || json === null) return `${status}, ${typeof json}`;
  const members = Array.isArray(json) ? 'a list' : Object.keys(json).sort().join(', ');
  return `${status}, ${members}`;
}

/** Reads only. */
export async function observeUnwritten(run: Run): Promise<void> {
  run.observe('the root of the sandbox', describeResponse(await run.client.call('getSandboxRoot')));
  const missingPath = `${await newDirectory(run)}/none`;
  run.observe(
    'a read of what is not there',
    describeResponse(await run.client.call('readTree', { path: { path: missingPath } })),
  );
  run.observe('the list of uploads', describeResponse(await run.client.call('listMultipartUploads')));
}

export async function observeTree(run: Run): Promise<void> {
  const top = await newWritableDirectory(run);
  const written = await putTree(run, top, { 'f.txt': 'x', 'a/f.txt': 'x', '.hidden': 'x' });
  observeListing(run, top, written);
  const read = await run.client.call('readTree', { path: { path: top } });
  run.observe(
    'a read of a directory',
    `${describeResponse(read)}${sameBody(read, written) ? ', as the write was answered' : ''}`,
  );
  for (const [what, path] of spellings(top)) {
    const exchange = await run.client.send({ surface: 'sandbox', method: 'GET', path: `/filesystem/tree/${path}` });
    run.observe(
      `a read ${what}`,
      `${describeResponse(exchange)}${sameBody(exchange, read) ? ', as with the plain path' : ''}`,
    );
  }
  run.observe(
    'a read of a file',
    describeResponse(await run.client.call('readTree', { path: { path: `${top}/f.txt` } })),
  );
  for (const [what, path, files] of edgeCaseWrites(top))
    run.observe(`a write ${what}`, describeResponse(await putTree(run, path, files)));
  for (const [what, request] of edgeCaseBodies(top))
    run.observe(`a write ${what}`, describeResponse(await run.client.send(request)));
}

function observeListing(run: Run, top: string, exchange: Exchange): void {
  const file = entriesOf(exchange, 'files').find((entry) => entry?.['name'] === 'f.txt');
  const text = (member: string) => String(file?.[member]);
  const memberOrNone = (member: string) => (file?.[member] === undefined ? 'none' : text(member));
  run.observe('owner and group of a file', `${memberOrNone('owner')}, ${memberOrNone('group')}`);
  run.observe('the form of permissions', permissionsForm(text('permissions')));
  run.observe('the form of lastModified', instantForm(text('lastModified')));
  run.observe('the form of paths', pathForm(text('path'), top));
  const hidden = entriesOf(exchange, 'files').some((entry) => entry?.['name'] === '.hidden');
  run.observe('a file whose name begins with a dot', hidden ? 'listed' : 'not listed');
}

function permissionsForm(text: string): string {
  if (/^0o?[0-7]{3,4}$/.test(text)) return 'octal with a leading 0';
  if (/^[0-7]{3}$/.test(text)) return 'octal';
  return /^[-d]?([r-][w-][xst-]){3}$/i.test(text) ? 'as ls -l has it' : 'another form';
}

function instantForm(text: string): string {
  if (parseInstant(text) === undefined) return 'no RFC 3339';
  return `RFC 3339, with ${/z$/i.test(text) ? 'Z' : 'an offset'}`;
}

function pathForm(path: string, directory: string): string {
  const ends = path.endsWith(`${directory}/f.txt`) ? '' : ', without the directory';
  return (path.startsWith('/') ? 'absolute' : 'relative') + ends;
}

function sameBody({ response: a }: Exchange, { response: b }: Exchange): boolean {
  return a.json !== undefined && JSON.stringify(a.json) === JSON.stringify(b.json);
}

function spellings(top: string): [string, string][] {
  return [
    ['by a path with a leading slash', `/${top}`],
    ['by a path with a leading slash, encoded', `%2F${top}`],
    ['by a path with encoded slashes', encodeURIComponent(top)],
    ['by a path with a slash at the end', `${top}/`],
    ['by a path with . in it', `${top}/./`],
    ['by a path with .. in it', `${top}/a/..`],
    ['by a path with .. encoded', `${top}/a/%2e%2e`],
    ['of an encoded percent sign', `${top}/%25`],
  ];
}

type EdgeCaseWrite = [what: string, path: string, files: Record<string, string>];

/** Whatever a target makes of these paths, it is below the run's own directory. */
function edgeCaseWrites(top: string): EdgeCaseWrite[] {
  return [
    ['of no files', top, {}],
    ['of a file in the place of a directory', top, { a: 'x' }],
    ['of a file below a file', top, { 'f.txt/below.txt': 'x' }],
    ['to the path of a file', `${top}/f.txt`, { 'below.txt': 'x' }],
    ['of a path that is empty', top, { '': 'x' }],
    ['of a path that ends in a slash', top, { 'b/': 'x' }],
    ['of a path with a double slash', top, { 'c//f.txt': 'x' }],
    ['of a path that begins with ./', top, { './d.txt': 'x' }],
    ['of a path with .. in it', top, { 'a/../e.txt': 'x' }],
    ['of an absolute path', top, { [`/${top}/g.txt`]: 'x' }],
  ];
}

function edgeCaseBodies(top: string): [string, RawRequest][] {
  const bodies: [string, string][] = [
    ['without files', '{}'],
    ['with files null', '{"files": null}'],
    ['with a content of null', '{"files": {"h.txt": null}}'],
    ['with a further member', '{"files": {"i.txt": "x"}, "assay": true}'],
    ['of a list', '[]'],
    ['of malformed JSON', '{"files": {"j.txt": "x"}'],
    ['without a body', ''],
  ];
  const headers = { 'Content-Type': 'application/json' };
  return bodies.map(([what, body]) => [
    what,
    { surface: 'sandbox', method: 'PUT', path: `/filesystem/tree/${top}`, headers, body },
  ]);
}
