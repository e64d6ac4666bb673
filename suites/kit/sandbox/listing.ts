/** Compares the listing in the response of a tree write with a map of paths. */
import type { Mismatch } from '../../engine/conforms.ts';
import { formatValue } from '../../expect/format-value.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { Exchange } from '../../target/client.ts';

/** Content by path below some directory: what was accepted so far. */
export type TreeModel = Map<string, string>;

/** Returns the mismatches in the listing of a directory, whose path is relative to that of the model. */
export type Judge = (exchange: Exchange, model: TreeModel, directory: string) => Mismatch[];

/** The entries of a listing, with names in NFC, because a file system may normalize them differently. */
interface Listed {
  readonly sizes: ReadonlyMap<string, unknown>;
  readonly subdirectories: ReadonlySet<string>;
}

type Entry = { readonly [member: string]: unknown } | null;

export const nameOf = (entry: Entry): string => String(entry?.['name']).normalize('NFC');

export function entriesOf({ response: { json } }: Exchange, member: 'files' | 'subdirectories'): readonly Entry[] {
  const entries = (json as { readonly [name: string]: unknown } | null | undefined)?.[member];
  return Array.isArray(entries) ? (entries as Entry[]) : [];
}

function listed(exchange: Exchange): Listed {
  return {
    sizes: new Map(entriesOf(exchange, 'files').map((entry) => [nameOf(entry), entry?.['size']])),
    subdirectories: new Set(entriesOf(exchange, 'subdirectories').map(nameOf)),
  };
}

/** The direct entries of a directory: file contents by name, and names of subdirectories. */
function entriesIn(model: TreeModel, directory: string) {
  const files = new Map<string, string>();
  const subdirectories = new Set<string>();
  for (const [path, content] of model) {
    if (directory !== '' && !path.startsWith(`${directory}/`)) continue;
    const [first = '', ...deeper] = path.slice(directory === '' ? 0 : directory.length + 1).split('/');
    if (deeper.length === 0) files.set(first.normalize('NFC'), content);
    else subdirectories.add(first.normalize('NFC'));
  }
  return { files, subdirectories };
}

/** Expects exactly the files that the directory directly contains. */
export function listsFiles(exchange: Exchange, model: TreeModel, directory: string): Mismatch[] {
  return sameNames(exchange, 'files', entriesIn(model, directory).files, listed(exchange).sizes);
}

/** Expects exactly the subdirectories that the directory directly contains. */
export function listsSubdirectories(exchange: Exchange, model: TreeModel, directory: string): Mismatch[] {
  return sameNames(
    exchange,
    'subdirectories',
    entriesIn(model, directory).subdirectories,
    listed(exchange).subdirectories,
  );
}

/** Expects the length in bytes of every listed file. */
export function listsSizes(exchange: Exchange, model: TreeModel, directory: string): Mismatch[] {
  const { sizes } = listed(exchange);
  return [...entriesIn(model, directory).files].flatMap(([name, content]) => {
    const size = Buffer.byteLength(content);
    const actual = sizes.get(name);
    if (!sizes.has(name) || actual === size) return [];
    return [{ expected: `size ${size} of ${quoted(name)}`, actual: `size ${formatValue(actual, 40)}`, exchange }];
  });
}

/** Expects the files and subdirectories that the directory directly contains, among others. */
export function listsAtLeast(exchange: Exchange, model: TreeModel, member: 'files' | 'subdirectories'): Mismatch[] {
  const { sizes, subdirectories } = listed(exchange);
  const actual = member === 'files' ? sizes : subdirectories;
  return missingNames(exchange, member, entriesIn(model, '')[member], actual);
}

function missingNames(exchange: Exchange, member: string, expected: Names, actual: Names): Mismatch[] {
  return [...expected.keys()]
    .filter((name) => !actual.has(name))
    .map((name) => ({ expected: `${quoted(name)} among ${member}`, actual: 'not listed', exchange }));
}

interface Names {
  keys(): Iterable<string>;
  has(name: string): boolean;
}

function sameNames(exchange: Exchange, member: string, expected: Names, actual: Names): Mismatch[] {
  const unexpected = [...actual.keys()].filter((name) => !expected.has(name) && !isHidden(name));
  return [
    ...missingNames(exchange, member, expected, actual),
    ...unexpected.map((name) => ({
      expected: `only ${member} that were written to it`,
      actual: `${quoted(name)} among them`,
      exchange,
    })),
  ];
}

/** A platform may keep files of its own in every directory, such as `.snapshot` (decision 048). */
const isHidden = (name: string): boolean => name.startsWith('.');

export const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** Expects name and path to be strings if present. Their format is undocumented. */
export function isNamed(exchange: Exchange): Mismatch[] {
  const listing = fieldsOf(exchange.response.json) ?? {};
  return ['name', 'path']
    .filter((field) => (listing[field] ?? '') !== '' && typeof listing[field] !== 'string')
    .map((field) => ({
      expected: `${field}: a string`,
      actual: `${field}: ${formatValue(listing[field], 40)}`,
      exchange,
    }));
}

/** Expects every name only once among files and directories. */
export function isEachOnce(exchange: Exchange): Mismatch[] {
  // Not in NFC: some file systems have both forms of a name.
  const entries = [...entriesOf(exchange, 'files'), ...entriesOf(exchange, 'subdirectories')];
  const names = entries.map((entry) => String(entry?.['name']));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  return twice.map((name) => ({ expected: 'distinct names', actual: `${quoted(name)} twice`, exchange }));
}
