/** Makes text from a server safe for a terminal: control and direction characters become visible escapes. */
import { invisibleCharacters } from '../spec/invisible-characters.ts';

/** Escapes line ends and tabs too, unless `keep.lineEnds` is set. */
export function escapeControls(text: string, keep: { lineEnds: boolean } = { lineEnds: false }): string {
  return text.replace(invisibleCharacters, (character) =>
    keep.lineEnds && /[\n\t]/.test(character) ? character : escapeOf(character),
  );
}

const named: Record<string, string> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return named[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`);
}

export interface WrapOptions {
  /** Whether to break a word that is longer than a line; otherwise it gets a line of its own. Defaults to false. */
  readonly breaksWords?: boolean;
}

/** Breaks lines at spaces. */
export function wrap(text: string, width: number, indent = '', { breaksWords = false }: WrapOptions = {}): string {
  const room = width - indent.length;
  const words = text.split(' ');
  const lines: string[] = [];
  let line = '';
  for (const word of breaksWords ? words.flatMap((each) => chunksOf(each, room)) : words) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => indent + each).join('\n');
}

/** At most `length` characters each; all but the last fill a line. */
function chunksOf(word: string, length: number): string[] {
  if (word.length <= length) return [word];
  const characters = Array.from(word);
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, at) => characters.slice(at * length, (at + 1) * length).join(''));
}
