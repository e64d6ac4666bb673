/** JSON that does nothing where it is printed: control and direction characters that JSON allows as they are become its escapes. */
import { invisibleCharacters } from './invisible-characters.ts';

/** `indent`: blanks a level; left out: one line. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(invisibleCharacters, (character) =>
    character === '\n' ? character : escaped(character),
  );

/** One above U+FFFF is two. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
