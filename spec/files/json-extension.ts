/** Finds what parsers that extend JSON accept, and JSON does not: comments, and other whitespace. */
import { positionAt } from './text-position.ts';
import type { TextMistake } from './text-position.ts';

/** A string (until the end of its line if it is not closed), the start of a comment, or whitespace that JSON does not allow. */
const STRING_OR_EXTENSION = /"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"?|\/[/*]|[\u200b\ufeff]|[^\S \t\r\n]/g;

/** The first one. Undefined if there is none, also if the text is not JSON for another reason. */
export function findJsonExtension(text: string): TextMistake | undefined {
  for (const { 0: token, index } of text.matchAll(STRING_OR_EXTENSION)) {
    if (token.startsWith('"')) continue;
    const message = token.startsWith('/')
      ? 'JSON has no comments'
      : 'JSON has no whitespace but spaces, tabs and line ends';
    return { ...positionAt(text, index), message };
  }
  return undefined;
}
