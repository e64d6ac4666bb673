/** Finds what is secret by its place in JSON, in a piece of it, and in text around it. */
import { isSecretName } from '../../spec/secret-names.ts';

/** Begin and end of a string in a text, quotes included. */
type Range = readonly [from: number, to: number];

/** An object or list that is open where the text has been read to; what stands around all of them is one, too. */
interface Open {
  /** Whether everything in it is secret. */
  readonly isSecret: boolean;
  /** Strings that are secret if the object around them says `"secret": true`, or is cut before it could. */
  readonly values: Range[];
  /** Of an object that is the `value` in another: the strings are that one's. */
  readonly valuesOf: Range[] | undefined;
  isMarked: boolean;
  key: string | undefined;
}

/** A string ends with its line at the latest, and at the end of a text that was cut, so that whatever begins one is one. */
const token = /"(?:[^"\\\n]|\\.)*\\?(?:"|$)|[{}[\],]|\btrue\b/gm;
const colon = /\s*:/y;

/** The text with `instead`, which needs no escapes, for every secret string. */
export function withoutSecretMembers(text: string, instead: string): string {
  const secrets: Range[] = [];
  const opened = [opening(undefined)];
  for (const { 0: found, index } of text.matchAll(token)) {
    const top = opened.at(-1) ?? opening(undefined);
    if (found === '{' || found === '[') opened.push(opening(top));
    else if (found === '}' || found === ']') secrets.push(...closing(opened));
    else if (found === ',') top.key = undefined;
    else if (found === 'true') top.isMarked ||= top.key === 'secret';
    else if (isKey(text, index + found.length)) top.key = keyOf(found);
    else seen(top, [index, index + found.length], secrets);
  }
  secrets.push(...opened.slice(1).flatMap(({ values }) => values));
  return replaced(text, secrets, `"${instead}"`);
}

function opening(around: Open | undefined): Open {
  const isSecret = around !== undefined && (around.isSecret || isSecretName(around.key ?? ''));
  const valuesOf = around?.key === 'value' ? around.values : around?.valuesOf;
  return { isSecret, values: [], valuesOf, isMarked: false, key: undefined };
}

/** What turns out to be secret where the innermost ends. */
function closing(opened: Open[]): readonly Range[] {
  if (opened.length === 1) return []; // The text begins in the middle.
  const last = opened.pop();
  return last?.isMarked === true ? last.values : [];
}

function seen({ isSecret, key, values, valuesOf }: Open, range: Range, secrets: Range[]): void {
  if (isSecret || isSecretName(key ?? '')) secrets.push(range);
  else if (key === 'value') values.push(range);
  else valuesOf?.push(range);
}

function isKey(text: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(text);
}

function keyOf(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
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
