/** Puts the exchanges of several runs into one file, numbered anew, without holding them all at once. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonText } from '../spec/json-text.ts';
import { exchangeLines, parsedExchange } from './exchange-lines.ts';

/** Lines of a file that were cut short, and are left out. */
export interface Unreadable {
  readonly file: string;
  readonly lines: number;
}

/** A file that is not there is left out. */
export async function mergeExchanges(from: readonly string[], to: string): Promise<Unreadable[]> {
  const unreadable = new Map(from.map((file) => [file, 0]));
  const merged = numbered(from, (file) => unreadable.set(file, (unreadable.get(file) ?? 0) + 1));
  await pipeline(Readable.from(merged), createWriteStream(to, { mode: 0o600 }));
  return [...unreadable].filter(([, lines]) => lines > 0).map(([file, lines]) => ({ file, lines }));
}

async function* numbered(files: readonly string[], leaveOut: (file: string) => void): AsyncGenerator<string> {
  let number = 0;
  for (const file of files)
    for await (const line of exchangeLines(file)) {
      const record = parsedExchange(line);
      if (record === undefined) leaveOut(file);
      else yield `${jsonText({ ...record, number: (number += 1) })}\n`;
    }
}
