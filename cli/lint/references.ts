/** Reads every file that a document refers to, for Spectral, and reports unresolved references. */
import type { Place, Segment } from '../../spec/ruleset/document/place.mjs';
import { follow, isMap, sourceOf } from '../../spec/ruleset/document/place.mjs';
import { dereference } from './dereference.ts';
import { mergedDataOf, syntaxOf, textToParse, withParserErrors } from './parse.ts';
import { readReferencedFile, UnreadableSource } from './read-source.ts';
import { Resolver } from './spectral.ts';

type ResolveOptions = NonNullable<Parameters<Resolver['resolve']>[1]>;
type Resolved = Awaited<ReturnType<Resolver['resolve']>>;

interface Reference {
  /** The source that contains it. */
  from: string;
  path: readonly Segment[];
  /** As it is written. */
  text: string;
  /** The source that it leads to. */
  to: string;
}

export interface BrokenReference {
  from: string;
  path: readonly Segment[];
  message: string;
}

/**
 * Spectral's own resolver expands every reference, which takes minutes for a document of megabytes, and requests any
 * URL. Our rules resolve references themselves, so for them this resolver returns the document unchanged, with the data that
 * Spectral needs for positions.
 */
export class References extends Resolver {
  readonly broken: BrokenReference[] = [];
  /** The texts of the files referred to, by source. */
  readonly texts = new Map<string, string>();
  readonly #contents = new Map<string, unknown>();
  readonly #unread = new Set<string>();
  readonly #dereferences: boolean;

  /** `dereferences`: whether rules get the document with its references replaced. */
  constructor({ dereferences }: { dereferences: boolean }) {
    super();
    this.#dereferences = dereferences;
  }

  override async resolve(data: unknown, options: ResolveOptions = {}): Promise<Resolved> {
    const root = options.baseUri ?? '';
    this.#contents.set(root, data);
    const references = new Map<string, Reference[]>();
    // Files that are read on the way are visited too.
    for (const [source, content] of this.#contents) {
      const found = referencesIn(content, source);
      references.set(source, found);
      for (const each of found) await this.#load(each, options);
    }
    const all = [...references.values()].flat();
    this.broken.push(...all.flatMap((each) => this.#problemOf(each) ?? []));
    // What Spectral reads from the graph.
    const mapOf = (found: readonly Reference[]) =>
      Object.fromEntries(found.map((each) => [pointerOf(each.path), absolute(each)]));
    const maps = new Map([...references].map(([source, found]) => [source, mapOf(found)]));
    const graph = {
      getNodeData: (source: string) => ({ refMap: maps.get(source) ?? {} }),
      // What is referred to: Spectral's rules report components that are not in this list.
      overallOrder: () => all.map(({ to, text }) => `${to}#${text.split('#', 2)[1] ?? ''}`),
    };
    const result = this.#dereferences ? dereference(this.#place({ value: data, path: [], source: root })) : data;
    return { result, refMap: {}, graph, errors: [] } as unknown as Resolved;
  }

  #place(place: Pick<Place, 'value' | 'path' | 'source'>): Place {
    const contentOf = (source: string) => this.#contents.get(source);
    return { ...place, reading: { version: '3.1', minorVersion: 1, contentOf, typeFindings: [] } };
  }

  async #load(reference: Reference, { parseResolveResult }: ResolveOptions): Promise<void> {
    const { to, from } = reference;
    if (this.#contents.has(to) || this.#unread.has(to)) return;
    try {
      const text = await readReferencedFile(to, from);
      this.texts.set(to, text);
      // Spectral stores the file by name, with the diagnostics of its parser.
      const wanted = { result: textToParse(text, syntaxOf(to)), targetAuthority: { href: () => to } };
      const parsed = await withParserErrors(() =>
        parseResolveResult?.(wanted as unknown as Parameters<typeof parseResolveResult>[0]),
      );
      const content: unknown = parsed?.result;
      // Spectral has stored the object already.
      if (isMap(content) && syntaxOf(to) === 'yaml') Object.assign(content, mergedDataOf(text));
      this.#contents.set(to, content);
    } catch (error) {
      if (!(error instanceof UnreadableSource)) throw error;
      this.#unread.add(to);
      this.broken.push(brokenReference(reference, error.message));
    }
  }

  /** Undefined also if a file in the chain was not read, which is reported once. */
  #problemOf(reference: Reference): BrokenReference | undefined {
    const { from, path, text, to } = reference;
    if (this.#unread.has(to)) return undefined;
    let why = 'Nothing is there.';
    const place = this.#place({ value: { $ref: text }, path, source: from });
    const onCircle = (): void => void (why = 'It is circular: it leads back to itself.');
    const end = follow({ ...place, reading: { ...place.reading, onCircle } });
    return end.value === undefined && !this.#unread.has(end.source ?? '') ? brokenReference(reference, why) : undefined;
  }
}

const brokenReference = ({ from, path, text }: Reference, why: string): BrokenReference => ({
  from,
  path: [...path, '$ref'],
  message: `The reference ${JSON.stringify(text)} cannot be followed. ${why}`,
});

/** A position in Spectral's notation. */
const pointerOf = (path: readonly Segment[]): string =>
  ['#', ...path.map((each) => encodeURIComponent(String(each).replaceAll('~', '~0').replaceAll('/', '~1')))].join('/');

const absolute = ({ to, text }: Reference): string =>
  `${text.startsWith('#') ? '' : to}#${text.split('#', 2)[1] ?? ''}`;

interface Node {
  value: unknown;
  key: Segment;
  parent: Node | undefined;
}

/** Every reference of a file. Values in examples that only look like references are ignored. */
function referencesIn(content: unknown, source: string): Reference[] {
  const found: Reference[] = [];
  const waiting: Node[] = [{ value: content, key: '', parent: undefined }];
  const seen = new Set<unknown>();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { value } = node;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isMap(value) && typeof value['$ref'] === 'string' && !isName(node))
      found.push(referenceAt(node, value['$ref'], source));
    for (const [key, inner] of Object.entries(value)) {
      const below: Node = { value: inner, key, parent: node };
      if (!isData(below)) waiting.push(below);
    }
  }
  return found.toReversed();
}

function referenceAt(node: Node, text: string, from: string): Reference {
  const path: Segment[] = [];
  for (let each = node; each.parent !== undefined; each = each.parent) path.unshift(each.key);
  const file = text.split('#', 1)[0] ?? '';
  return { from, path, text, to: file === '' ? from : sourceOf(file, from) };
}

const isName = ({ key }: Node): boolean => key === 'properties';

/** Values of the service itself and extensions, in which nothing refers to anything. */
function isData({ key, parent }: Node): boolean {
  const names = ['properties', 'patternProperties', 'schemas', '$defs'];
  if (parent === undefined || names.includes(String(parent.key))) return false;
  if (key === 'value') return parent.parent?.key === 'examples';
  if (String(key).startsWith('x-')) return true;
  return key === 'example' || key === 'default' || key === 'const' || key === 'enum';
}
