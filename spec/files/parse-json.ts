/** Parses JSON whose depth and number of values are limited. */
import { MAX_DEPTH, MAX_VALUES, TooComplex, depthError } from './too-complex.ts';

/** Throws TooComplex, or a SyntaxError. */
export function parseJson(text: string, maxValues = MAX_VALUES): unknown {
  const { depth, values } = measureJson(text);
  if (depth > MAX_DEPTH) throw depthError();
  if (values > maxValues) throw new TooComplex(`It has more than ${maxValues} values.`);
  return JSON.parse(text) as unknown;
}

export interface JsonSize {
  /** The deepest level of arrays and objects. */
  readonly depth: number;
  /** At least the number of values in it. */
  readonly values: number;
  /** Arrays and objects that are not closed; less than 0 if more are closed than opened. */
  readonly open: number;
}

/** Looks only at the characters, so that it needs no memory. The text need not be valid. */
export function measureJson(text: string): JsonSize {
  let [depth, deepest, values] = [0, 0, 1];
  for (let index = 0; index < text.length; index += 1)
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        values += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
      default:
    }
  return { depth: deepest, values, open: depth };
}

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\,[]{}'].map((each) =>
  each.charCodeAt(0),
);

/** The index of the closing quote; the length of the text if there is none. */
export function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}
