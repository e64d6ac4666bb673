/** Reads exchanges.ndjson line by line, as a stream. */
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ExchangeRecord } from '../spec/verdicts.ts';

/** A missing file has no lines. */
export async function* readExchangeLines(file: string): AsyncGenerator<string> {
  if (!existsSync(file)) return;
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
