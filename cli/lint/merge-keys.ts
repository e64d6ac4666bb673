/** Corrects what Spectral's parser of YAML makes of the merge key `<<`: it reads no tag `!!merge`, and the last of two equal keys wins. */
import { Lexer } from 'yaml';
import { Parsers } from './spectral.ts';

type Ast = NonNullable<ReturnType<(typeof Parsers.Yaml)['parse']>['ast']>;

/** A node of the parser, whose types do not tell its kinds apart. */
interface Node {
  readonly kind: number;
  /** The same for an alias as for its anchor, although the parser copies the node. */
  readonly startPosition?: number;
  readonly endPosition?: number;
  readonly value?: unknown;
  readonly plainScalar?: boolean;
  readonly key?: Node | null;
  readonly mappings?: readonly Node[];
  readonly items?: readonly (Node | null)[];
}

const KIND = { scalar: 0, map: 2, sequence: 3, alias: 4 } as const;
const MERGE = '<<';

/** A merge key with its tag, before a colon or after a question mark; also in texts and comments. */
const TAGGED =
  /(?:!!merge|!<tag:yaml\.org,2002:merge>)[ \t]+<<(?:(?=[ \t]*:(?:[\s,[\]{}]|$))|(?<=\?[ \t]+\S+[ \t]+<<)(?=[ \t]*$))/gm;

/** What the lexer inserts between lexemes: the start of a document, the end of an error, the start of a scalar. */
const MARKS = ['\u0002', '\u0018', '\u001f'];

/** The text without the tag of merge keys, which is optional. Nothing else moves. */
export function withoutMergeTags(text: string): string {
  const matches = [...text.matchAll(TAGGED)];
  if (matches.length === 0) return text;
  const offsets = offsetsOfTags(text, matches);
  return text.replaceAll(TAGGED, (tagged, offset: number) =>
    offsets.has(offset) ? MERGE.padEnd(tagged.length) : tagged,
  );
}

/** The offsets of the matches that are not in a text or comment. */
function offsetsOfTags(text: string, matches: readonly RegExpExecArray[]): Set<number> {
  const offsets = new Set<number>();
  const waiting = matches.toReversed();
  let start = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (MARKS.includes(lexeme) && !text.startsWith(lexeme, start)) continue;
    const end = start + lexeme.length;
    for (let next = waiting.at(-1); next !== undefined && next.index < end; next = waiting.at(-1)) {
      if (isTag(lexeme, next.index - start, next[0])) offsets.add(next.index);
      waiting.pop();
    }
    start = end;
  }
  return offsets;
}

/** Whether a lexeme is the tag, or ends with a line that is only the tagged key: then a value before it is not complete. */
const isTag = (lexeme: string, position: number, tagged: string): boolean =>
  position === 0
    ? lexeme.startsWith('!') && tagged.startsWith(lexeme)
    : lexeme.endsWith(tagged) && /\n[ \t]*$/.test(lexeme.slice(0, position));

/** The data of a document in which a key stands before `<<`, and wins (YAML merge key, 2005). Undefined if there is none. */
export function mergedData(ast: Ast | undefined, text: string): unknown {
  const root = ast as Node | undefined;
  return text.includes(MERGE) && hasLateMerge(root) ? createReader()(root) : undefined;
}

function hasLateMerge(root: Node | null | undefined): boolean {
  const waiting: (Node | null | undefined)[] = [root];
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    const { mappings = [], items = [] } = node ?? {};
    if (mappings.findIndex(isMerge) > 0) return true;
    waiting.push(...items, ...mappings.map(valueOf));
  }
  return false;
}

const keyOf = ({ key }: Node): string => String(key?.value);
const valueOf = ({ value }: Node): Node | null => (value ?? null) as Node | null;
const isMerge = (mapping: Node): boolean => keyOf(mapping) === MERGE;

type Read = (node: Node | null | undefined) => unknown;

/** What several aliases refer to is one object, as in other documents: copies would multiply with each level. */
function createReader(): Read {
  const known = new Map<string, unknown>();
  const read: Read = (node) => {
    if (node?.kind === KIND.alias) return read(valueOf(node));
    if (!node) return null;
    const key = [node.kind, node.startPosition, node.endPosition].join(' ');
    if (known.has(key)) return known.get(key);
    const data = dataOf(node, read);
    known.set(key, data);
    return data;
  };
  return read;
}

function dataOf(node: Node, read: Read): unknown {
  switch (node.kind) {
    case KIND.map:
      return mapOf(node.mappings ?? [], read);
    case KIND.sequence:
      return (node.items ?? []).map(read);
    case KIND.scalar:
      return node.plainScalar === true ? Parsers.Yaml.parse(String(node.value)).data : String(node.value);
    default:
      return null;
  }
}

/** Own keys win over merged ones, and the first of several merged maps over the others. */
function mapOf(mappings: readonly Node[], read: Read): Record<string, unknown> {
  const merged = mappings
    .filter(isMerge)
    .flatMap((each) => read(valueOf(each)))
    .toReversed();
  const own = mappings.filter((each) => !isMerge(each)).map((each) => [keyOf(each), read(valueOf(each))] as const);
  return Object.assign({}, ...merged, Object.fromEntries(own)) as Record<string, unknown>;
}
