/** sandbox.tree.paths-end-with-names: the paths in a listing belong to its entries. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { statusClass } from '../expect/status.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { fieldsOf, isFields, isOmitted } from '../json/fields.ts';
import { entriesOf, nameOf } from '../kit/sandbox/listing.ts';
import { acceptedNames } from '../kit/sandbox/accepted-names.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { isLimit, putTree } from '../kit/sandbox/tree.ts';
import type { Exchange } from '../target/client.ts';

const FILES = { 'one.txt': '1', 'Mixed  Case.TXT': '2', 'two/deep.txt': '3', 'Other-Dir  2/x': '4' };
const DIRECTORIES = ['Sub  Dir_1', 'plain'];

export async function checkPaths(run: Run): Promise<void> {
  const top = await newWritableDirectory(run);
  const names = await acceptedNames(run);
  for (const name of DIRECTORIES.map(names.directory)) {
    const exchange = await putTree(run, `${top}/${name}`, names.files(FILES));
    run.need(!isLimit(exchange), 'a tree write that is accepted');
    run.check([
      ...statusClass(exchange, '2xx'),
      ...directoryMismatches(exchange, name),
      ...entryMismatches(exchange, name),
    ]);
  }
}

/** Of a directory that is not written as a relative one. */
export function judgePaths({ status: code, json, path, exchange }: Seen): Judged {
  if (code !== 200 || !isFields(json)) return undefined;
  const directory = (path['path'] ?? '').replace(/\/+$/, '').split('/').at(-1) ?? '';
  const name = isName(directory) ? directory.normalize('NFC') : undefined;
  return [...(name === undefined ? [] : directoryMismatches(exchange, name)), ...entryMismatches(exchange, name)];
}

/** What a server made of another name is not documented. */
const isName = (name: string): boolean => !['', '.', '..'].includes(name) && !name.includes('/') && name.isWellFormed();

/** The last segment, in NFC, because file systems may normalize names. */
const endOf = (path: unknown): string => (String(path).replace(/\/+$/, '').split('/').at(-1) ?? '').normalize('NFC');

/** The form of paths is not documented, so a path may be percent-encoded. */
const endsWithName = (path: unknown, name: string): boolean =>
  [name, encodeURI(name.toWellFormed()), encodeURIComponent(name.toWellFormed())].includes(endOf(path));

function directoryMismatches(exchange: Exchange, directory: string): Mismatch[] {
  const { name, path } = fieldsOf(exchange.response.json) ?? {};
  return Object.entries({ name, path })
    .filter(([, value]) => !isOmitted(value) && !endsWithName(value, directory))
    .map(([field, value]) => wrong(exchange, `${field}: ${JSON.stringify(directory)} at its end`, field, value));
}

/** Whether the path names no directory, or one with this name. What is above it is not documented: it may be a symbolic link. */
function isIn(path: unknown, directory: string): boolean {
  const above = String(path).replace(/\/+$/, '').split('/').slice(0, -1).join('/');
  return ['', '.'].includes(endOf(above)) || endsWithName(above, directory);
}

/** `directory`: undefined if its name is unknown. */
function entryMismatches(exchange: Exchange, directory: string | undefined): Mismatch[] {
  return (['files', 'subdirectories'] as const).flatMap((list) =>
    entriesOf(exchange, list)
      .filter((entry) => isName(nameOf(entry)) && !isOmitted(entry?.['path']))
      .flatMap((entry) => {
        const [name, path] = [nameOf(entry), entry?.['path']];
        const ofEntry = `the path in ${list} of ${JSON.stringify(name)}`;
        if (!endsWithName(path, name)) return [wrong(exchange, `${ofEntry} to end with the name`, 'path', path)];
        if (directory === undefined || isIn(path, directory)) return [];
        return [wrong(exchange, `${ofEntry} to be in ${JSON.stringify(directory)}`, 'path', path)];
      }),
  );
}

const wrong = (exchange: Exchange, expected: string, field: string, actual: unknown): Mismatch => ({
  expected,
  actual: `${field}: ${JSON.stringify(actual) ?? 'absent'}`,
  exchange,
});
