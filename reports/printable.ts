/** Makes text from a server safe for a terminal: control and direction characters become visible escapes. */
import { unseenCharacters } from '../spec/unseen-characters.ts';

/** Line ends and tabs become escapes too, unless they are kept. */
export function printable(text: string, keep: { lineEnds: boolean } = { lineEnds: false }): string {
  return text.replace(unseenCharacters, (character) =>
    keep.lineEnds && /[\n\t]/.test(character) ? character : escapeOf(character),
  );
}

const named: Record<string, string> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return named[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`);
}

/** Breaks at blanks so that no line is wider; a longer word stands alone. */
export function wrapped(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => indent + each).join('\n');
}
