/** Reads exchanges.ndjson line by line, without holding it all. */
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ExchangeRecord } from '../spec/verdicts.ts';

/** A file that is not there has none. */
export async function* exchangeLines(file: string): AsyncGenerator<string> {
  if (!existsSync(file)) return;
  yield* createInterface({ input: createReadStream(file), crlfDelay: Infinity });
}

/** undefined for a line that was cut short: a run was killed while it wrote. */
export function parsedExchange(line: string): ExchangeRecord | undefined {
  try {
    return JSON.parse(line) as ExchangeRecord;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
