/** JSON that is safe to print: also escapes the control and direction characters that JSON allows unescaped. */
import { invisibleCharacters } from './invisible-characters.ts';

/** `indent`: spaces per level; one line if omitted. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(invisibleCharacters, (character) =>
    character === '\n' ? character : escaped(character),
  );

/** A character above U+FFFF becomes two escapes. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
