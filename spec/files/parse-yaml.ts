/** Parses YAML, of which JSON is a subset, within limits of its depth, number of values, and aliases. */
import { isAlias, isCollection, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, Scalar } from 'yaml';
import { parseJson } from './parse-json.ts';
import type { TextMistake, TextPosition } from './text-position.ts';
import { MAX_DEPTH, MAX_VALUES, depthError, aliasError, TooComplex } from './too-complex.ts';

/** The parser needs up to 600 bytes of memory for each byte. */
export const MAX_YAML_BYTES = 512 * 1024;
/** The parser looks for the anchor of each alias among all of them. */
const MAX_ALIASES = 10_000;

/** The text is not valid. */
export class InvalidYaml extends Error {
  /** Of the YAML parser, such as BAD_INDENT, or BAD_ALIAS. */
  readonly code: string;
  /** ` at line 3, column 1`; empty if unknown. */
  readonly place: string;

  constructor(message: string, code: string, place: string) {
    super(`${message}${place}`);
    this.code = code;
    this.place = place;
  }
}

/** A text that is too long for the YAML parser must be JSON. Throws InvalidYaml or TooComplex. */
export function parseYamlOrJson(text: string): unknown {
  if (text.length <= MAX_YAML_BYTES) return parseYaml(text);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TooComplex(`It is larger than ${MAX_YAML_BYTES / 1024} KiB and not JSON, in which it may be larger.`);
  }
}

/** Throws InvalidYaml or TooComplex. */
export function parseYaml(text: string): unknown {
  return withinStack(() => {
    const lines = new LineCounter();
    const document = parseDocument(text, { ...CHEAP, lineCounter: lines });
    const at = (offset: number): string => {
      const { line, col } = lines.linePos(offset);
      return ` at line ${line}, column ${col}`;
    };
    const [error] = document.errors;
    if (error !== undefined && /call stack/.test(error.message)) throw depthError();
    if (error !== undefined) throw new InvalidYaml(error.message, error.code, at(error.pos[0]));
    measure(document, { requireUniqueKeys: at });
    return toJs(document);
  });
}

/** Throws TooComplex if the aliases of the text stand for too many values. Other errors are for the parser that follows. */
export function requireFewAliases(text: string): void {
  // An anchor and an alias. Without both nothing expands.
  if (!/&\S/.test(text) || !/\*\S/.test(text)) return;
  withinStack(() => measure(parseDocument(text, CHEAP)));
}

/** A text that is parsed once, with the first call. Every method throws TooComplex. */
export interface InspectedYaml {
  /**
   * Tabs that indent, which YAML does not allow: at most one for each line. After the first one, some may be missing. Tabs
   * elsewhere do no harm.
   */
  tabIndents(): TextPosition[];
  /** Why the text is not YAML. Empty for a text that is too long for this parser. */
  syntaxErrors(): TextMistake[];
  /** Keys `__proto__`, which parsers lose. */
  protoKeys(): TextPosition[];
}

export function inspectYaml(text: string): InspectedYaml {
  let parsed: ParsedYaml | undefined;
  const parse = (): ParsedYaml => (parsed ??= parseCheaply(text));
  const isShort = text.length <= MAX_YAML_BYTES;
  const mayHaveProto = text.includes('__proto__') || (isShort && /\\[uUx]/.test(text));
  return {
    tabIndents: () => tabIndents(parse()),
    syntaxErrors: () => (isShort ? syntaxErrors(parse()) : []),
    protoKeys: () => (mayHaveProto ? protoKeys(parse()) : []),
  };
}

interface ParsedYaml {
  readonly document: Document;
  readonly lines: LineCounter;
}

function tabIndents({ document, lines }: ParsedYaml): TextPosition[] {
  const tabs = document.errors.filter(({ code }) => code === 'TAB_AS_INDENT').map(({ pos }) => lines.linePos(pos[0]));
  return [...new Map(tabs.toReversed().map((each) => [each.line, each])).values()].toReversed();
}

function syntaxErrors({ document, lines }: ParsedYaml): TextMistake[] {
  return document.errors.map(({ code, message, pos }) => ({
    ...lines.linePos(pos[0]),
    message: code === 'MULTIPLE_DOCS' ? 'The text contains several documents' : message,
  }));
}

function protoKeys({ document, lines }: ParsedYaml): TextPosition[] {
  const found: TextPosition[] = [];
  const isProto = (key: unknown) => isScalar(key) && key.value === '__proto__';
  withinStack(() =>
    visit(document, {
      Pair: (_, { key }) => void (isProto(key) && found.push(lines.linePos((key as Scalar).range?.[0] ?? 0))),
    }),
  );
  return found;
}

function parseCheaply(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = withinStack(() => parseDocument(text, { ...CHEAP, lineCounter: lines }));
  if (document.errors.some(({ message }) => /call stack/.test(message))) throw depthError();
  return { document, lines };
}

/** The parser would compare each key with all others, and quote the line of each error. */
const CHEAP = { uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const;

/**
 * The parser calls itself for each level. It makes an Error for each of what may be a million mistakes, for which a stack
 * trace would take most of the time.
 */
function withinStack<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? depthError() : error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The limits have been checked, so that the aliases need not be counted again. */
function toJs(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: -1 }) as unknown;
  } catch (error) {
    if (error instanceof ReferenceError) throw new InvalidYaml('Unresolved alias', 'BAD_ALIAS', '');
    throw error;
  }
}

interface Size {
  readonly values: number;
  /** Levels of arrays and objects below it, and itself. */
  readonly depth: number;
}

interface MeasureOptions {
  /** Formats the position for the error. Absent: keys are not compared. */
  readonly requireUniqueKeys?: (offset: number) => string;
}

const ONE: Size = { values: 1, depth: 0 };
/** Of a collection that contains an alias of itself. */
const ENDLESS: Size = { values: Infinity, depth: Infinity };

/** Throws TooComplex as soon as a limit is exceeded. */
function measure(document: Document, { requireUniqueKeys }: MeasureOptions = {}): void {
  /** By anchor; the latest counts. */
  const anchored = new Map<string, Size>();
  let aliases = 0;

  function sizeOf(node: unknown): Size {
    if (isAlias(node)) {
      aliases += 1;
      if (aliases > MAX_ALIASES) throw new TooComplex(`It has more than ${MAX_ALIASES} aliases.`);
      return anchored.get(node.source) ?? ONE;
    }
    if (isPair(node)) return sum([sizeOf(node.key), sizeOf(node.value)], 0);
    if (!isCollection(node)) return remember(node, ONE);
    remember(node, ENDLESS);
    if (requireUniqueKeys !== undefined) requireUnique(node.items, requireUniqueKeys);
    return remember(node, sum(node.items.map(sizeOf), 1));
  }

  function remember(node: unknown, size: Size): Size {
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchored.set(anchor, size);
    return size;
  }

  sizeOf(document.contents);
}

function sum(parts: readonly Size[], levels: number): Size {
  let [values, depth] = [1, 0];
  for (const part of parts) {
    values += part.values;
    depth = Math.max(depth, part.depth);
  }
  if (values === Infinity) throw new TooComplex('It contains an alias of a value within that value.');
  if (depth + levels > MAX_DEPTH) throw depthError();
  if (values > MAX_VALUES) throw aliasError();
  return { values, depth: depth + levels };
}

function requireUnique(items: readonly unknown[], at: (offset: number) => string): void {
  const keys = new Set<unknown>();
  for (const { key } of items.filter(isPair)) {
    if (!isScalar(key)) continue;
    if (keys.has(key.value)) throw new InvalidYaml('Map keys must be unique', 'DUPLICATE_KEY', at(key.range?.[0] ?? 0));
    keys.add(key.value);
  }
}
