/** Concatenates the exchanges of several runs into one file, with new numbers, as a stream. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonText } from '../spec/json-text.ts';
import { readExchangeLines, parseExchange } from './exchange-lines.ts';

/** The number of truncated lines skipped in a file. */
export interface UnreadableLines {
  readonly file: string;
  readonly lines: number;
}

/** Skips missing files. */
export async function mergeExchanges(from: readonly string[], to: string): Promise<UnreadableLines[]> {
  const unreadable = new Map(from.map((file) => [file, 0]));
  const merged = renumber(from, (file) => unreadable.set(file, (unreadable.get(file) ?? 0) + 1));
  await pipeline(Readable.from(merged), createWriteStream(to, { mode: 0o600 }));
  return [...unreadable].filter(([, lines]) => lines > 0).map(([file, lines]) => ({ file, lines }));
}

async function* renumber(files: readonly string[], onUnreadable: (file: string) => void): AsyncGenerator<string> {
  let number = 0;
  for (const file of files)
    for await (const line of readExchangeLines(file)) {
      const record = parseExchange(line);
      if (record === undefined) onUnreadable(file);
      else yield `${jsonText({ ...record, number: (number += 1) })}\n`;
    }
}
