/** Puts the exchanges of several runs into one file, numbered anew, without holding them all at once. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExchangeRecord } from '../spec/verdicts.ts';

/** A file that is not there is left out. */
export async function mergeExchanges(from: readonly string[], to: string): Promise<void> {
  await pipeline(
    Readable.from(numbered(from.filter((file) => existsSync(file)))),
    createWriteStream(to, { mode: 0o600 }),
  );
}

async function* numbered(files: readonly string[]): AsyncGenerator<string> {
  let number = 0;
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const record = JSON.parse(line) as ExchangeRecord;
      yield `${JSON.stringify({ ...record, number: (number += 1) })}\n`;
    }
}
