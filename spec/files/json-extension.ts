/** Finds what parsers that extend JSON accept, and JSON does not: comments, and other whitespace. */
import { endOfString } from './parse-json.ts';
import { positionAt } from './text-position.ts';
import type { TextMistake } from './text-position.ts';

const COMMENT_START = /^\/[/*]/;
const OTHER_WHITESPACE = /[\u200b\ufeff]|[^\S \t\r\n]/;

/** The first one. Undefined if there is none, also if the text is not JSON for another reason. */
export function findJsonExtension(text: string): TextMistake | undefined {
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index);
    else if (character === '/' && COMMENT_START.test(text.slice(index, index + 2)))
      return { ...positionAt(text, index), message: 'JSON has no comments' };
    else if (OTHER_WHITESPACE.test(character))
      return { ...positionAt(text, index), message: 'JSON has no whitespace but spaces, tabs and line ends' };
  }
  return undefined;
}
