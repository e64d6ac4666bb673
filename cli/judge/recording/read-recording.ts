/** Reads recorded traffic: HAR of any writer, also compressed or in a zip, and exchanges.ndjson of `assay test`. */
import { parseJson } from '../../../spec/files/parse-json.ts';
import { TooComplex } from '../../../spec/files/too-complex.ts';
import { InvalidInput } from '../../../spec/formats/invalid-input.ts';
import { quote } from '../../../spec/formats/read-format.ts';
import { markConcurrentWrites } from './concurrent-writes.ts';
import { isExchangeRecords, readExchangeRecords } from './read-exchange-records.ts';
import { readHar } from './read-har.ts';
import type { Recording } from './recorded-exchange.ts';
import { unpackRecording } from './unpack-recording.ts';

/** Arrays, objects and other values of a HAR: an entry has about 200. */
const MAX_VALUES = 5_000_000;

const EXPECTED = 'Expected HAR (JSON, gzip or zip), or exchanges.ndjson of assay test.';

/** Throws InvalidInput; the message begins with the name of the file. Recognizes the format by the content. */
export async function readRecording(file: string): Promise<Recording> {
  const recording = await readAnyFormat(file);
  return { ...recording, exchanges: markConcurrentWrites(recording.exchanges) };
}

async function readAnyFormat(file: string): Promise<Recording> {
  const { text, readBody } = await unpackRecording(file);
  if (isExchangeRecords(text)) return readExchangeRecords(file, text);
  try {
    return await readHar(file, parseJson(text, MAX_VALUES), readBody);
  } catch (error) {
    if (error instanceof InvalidInput || error instanceof TooComplex)
      throw new InvalidInput(`${quote(file)}: ${error.message} ${EXPECTED}`);
    if (error instanceof SyntaxError)
      throw new InvalidInput(`${quote(file)} is not valid JSON, or is truncated: ${error.message}. ${EXPECTED}`);
    throw error;
  }
}
