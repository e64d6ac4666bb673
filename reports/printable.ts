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

/** Breaks lines at spaces. A word longer than `width` gets a line of its own. */
export function wrap(text: string, width: number, indent = ''): string {
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
