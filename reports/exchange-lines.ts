/** Reads exchanges.ndjson line by line, as a stream. */
import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ExchangeRecord } from '../spec/verdicts.ts';

/** A missing file has no lines, nor has a named pipe or a device, which may never end. */
export async function* readExchangeLines(file: string): AsyncGenerator<string> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
  yield* createInterface({ input: createReadStream(file), crlfDelay: Infinity });
}

/** Returns undefined for a truncated line, which a killed run leaves. */
export function parseExchange(line: string): ExchangeRecord | undefined {
  try {
    return JSON.parse(line) as ExchangeRecord;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
