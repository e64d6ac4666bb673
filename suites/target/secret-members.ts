/** Redacts values that are secret by their place in JSON, even if the JSON is truncated or surrounded by text. */
import { isSecretVariable, placeOf } from '../../spec/secret-names.ts';
import type { SecretPlace } from '../../spec/secret-names.ts';

/** The start (inclusive) and end (exclusive) of a string with its quotes, or of a number. */
type Range = readonly [from: number, to: number];

/** An object or array that is open at the current position. The document itself is the outermost one. */
interface OpenContainer {
  /** The name that applies to its values; an object's properties have their own names. */
  readonly place: SecretPlace;
  /** Strings and numbers that are secret if their object is marked as secret, or is truncated before a possible mark. */
  readonly values: Range[];
  /** For an object that is the `value` of another object: that object's `values`. */
  readonly valuesOf: Range[] | undefined;
  /** Marked as secret by its `secret` member or by its name. */
  isMarked: boolean;
  key: string | undefined;
}

/** A string by its opening quote. */
const token = /["{}[\],]|(?<![\w.+-])-?\d[\d.eE+-]*|\b(?:true|null)\b/g;
const colon = /\s*:/y;

/** Replaces every secret string and number with `replacement`, which must not need JSON escapes. */
export function withoutSecretMembers(text: string, replacement: string): string {
  const secrets: Range[] = [];
  const openContainers = [outermost()];
  for (const [index, end] of tokensIn(text)) {
    const found = text.slice(index, end);
    const top = openContainers.at(-1) ?? outermost();
    const isString = found.startsWith('"');
    if (found === ',') top.key = undefined;
    else if (found === '}' || found === ']') for (const each of closeInnermost(openContainers)) secrets.push(each);
    else if (isString && isKey(text, end)) top.key = textOf(found);
    else {
      top.isMarked ||= marksSecret(top.key, found);
      if (found === '{' || found === '[') openContainers.push(openContainer(top, found));
      else if (isString || /\d/.test(found)) addValue(top, [index, end], secrets);
    }
  }
  const truncated = openContainers.slice(1).flatMap(({ values }) => values);
  return replaceRanges(text, [...secrets, ...truncated], `"${replacement}"`);
}

function* tokensIn(text: string): Generator<Range> {
  const tokens = new RegExp(token);
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    if (found[0] === '"') tokens.lastIndex = endOfString(text, tokens.lastIndex);
    yield [found.index, tokens.lastIndex];
  }
}

/**
 * A string ends at the line end at the latest, or at the end of a truncated text, so that every opening quote starts one. Not by a
 * regular expression: it would exceed the stack in a long string.
 */
function endOfString(text: string, from: number): number {
  const special = /["\\\n]/g;
  special.lastIndex = from;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    if (found[0] === '"') return special.lastIndex;
    if (found[0] === '\n') return found.index;
    if (text[special.lastIndex] !== '\n') special.lastIndex += 1;
  }
  return text.length;
}

const outermost = (): OpenContainer => ({
  place: 'plain',
  values: [],
  valuesOf: undefined,
  isMarked: false,
  key: undefined,
});

function openContainer(parent: OpenContainer, bracket: '{' | '['): OpenContainer {
  const place = placeIn(parent);
  const valuesOf = parent.key === 'value' ? parent.values : parent.valuesOf;
  return { ...outermost(), place: bracket === '{' && place === 'variables' ? 'plain' : place, valuesOf };
}

const placeIn = ({ place, key }: OpenContainer): SecretPlace =>
  place !== 'plain' || key === undefined ? place : placeOf(key);

/** The token pattern does not match `false`, so it marks nothing. */
const marksSecret = (key: string | undefined, found: string): boolean =>
  key === 'secret' || (key === 'name' && found.startsWith('"') && isSecretVariable(textOf(found)));

/** The ranges found to be secret when the innermost object ends. */
function closeInnermost(openContainers: OpenContainer[]): readonly Range[] {
  if (openContainers.length === 1) return []; // The beginning of the JSON is missing.
  const last = openContainers.pop();
  return last?.isMarked === true ? last.values : [];
}

function addValue(top: OpenContainer, range: Range, secrets: Range[]): void {
  if (placeIn(top) !== 'plain') secrets.push(range);
  else if (top.key === 'value') top.values.push(range);
  else top.valuesOf?.push(range);
}

function isKey(text: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(text);
}

function textOf(found: string): string {
  try {
    return JSON.parse(found) as string;
  } catch {
    return found.slice(1, -1);
  }
}

function replaceRanges(text: string, ranges: readonly Range[], replacement: string): string {
  let [result, at] = ['', 0];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    result += text.slice(at, from) + replacement;
    at = to;
  }
  return result + text.slice(at);
}
