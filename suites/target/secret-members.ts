/** Finds what is secret by its place in JSON, in a piece of it, and in text around it. */
import { isSecretVariable, placeOf } from '../../spec/secret-names.ts';
import type { SecretPlace } from '../../spec/secret-names.ts';

/** Begin and end of a string in a text, quotes included, or of a number. */
type Range = readonly [from: number, to: number];

/** An object or list that is open where the text has been read to; what stands around all of them is one, too. */
interface Open {
  /** Of what stands in it; an object's members have their own names besides. */
  readonly place: SecretPlace;
  /** Strings and numbers that are secret if the object around them is marked as a secret, or is cut before it could be. */
  readonly values: Range[];
  /** Of an object that is the `value` in another: the strings and numbers are that one's. */
  readonly valuesOf: Range[] | undefined;
  /** By `secret`, or by its name. */
  isMarked: boolean;
  key: string | undefined;
}

/** A string ends with its line at the latest, and at the end of a text that was cut, so that whatever begins one is one. */
const token = /"(?:[^"\\\n]|\\.)*\\?(?:"|$)|[{}[\],]|(?<![\w.+-])-?\d[\d.eE+-]*|\b(?:true|null)\b/gm;
const colon = /\s*:/y;

/** The text with `instead`, which needs no escapes, for every secret string and number. */
export function withoutSecretMembers(text: string, instead: string): string {
  const secrets: Range[] = [];
  const opened = [outermost()];
  for (const { 0: found, index } of text.matchAll(token)) {
    const top = opened.at(-1) ?? outermost();
    const isString = found.startsWith('"');
    if (found === ',') top.key = undefined;
    else if (found === '}' || found === ']') secrets.push(...closing(opened));
    else if (isString && isKey(text, index + found.length)) top.key = textOf(found);
    else {
      top.isMarked ||= marks(top.key, found);
      if (found === '{' || found === '[') opened.push(opening(top, found));
      else if (isString || /\d/.test(found)) seen(top, [index, index + found.length], secrets);
    }
  }
  secrets.push(...opened.slice(1).flatMap(({ values }) => values));
  return replaced(text, secrets, `"${instead}"`);
}

const outermost = (): Open => ({ place: 'plain', values: [], valuesOf: undefined, isMarked: false, key: undefined });

function opening(around: Open, bracket: '{' | '['): Open {
  const place = placeIn(around);
  const valuesOf = around.key === 'value' ? around.values : around.valuesOf;
  return { ...outermost(), place: bracket === '{' && place === 'variables' ? 'plain' : place, valuesOf };
}

const placeIn = ({ place, key }: Open): SecretPlace => (place !== 'plain' || key === undefined ? place : placeOf(key));

/** `false` is no token: it marks nothing. */
const marks = (key: string | undefined, found: string): boolean =>
  key === 'secret' || (key === 'name' && found.startsWith('"') && isSecretVariable(textOf(found)));

/** What turns out to be secret where the innermost ends. */
function closing(opened: Open[]): readonly Range[] {
  if (opened.length === 1) return []; // The text begins in the middle.
  const last = opened.pop();
  return last?.isMarked === true ? last.values : [];
}

function seen(top: Open, range: Range, secrets: Range[]): void {
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

function replaced(text: string, ranges: readonly Range[], instead: string): string {
  let [done, at] = ['', 0];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    done += text.slice(at, from) + instead;
    at = to;
  }
  return done + text.slice(at);
}
