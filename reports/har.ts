/** Writes exchanges.har (HTTP Archive 1.2) out of exchanges.ndjson, for a browser's developer tools, an exchange at a time. */
import { createWriteStream } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonText } from '../spec/json-text.ts';
import type { AnswerRecord, ExchangeRecord, HeaderRecord, Report, RequestRecord } from '../spec/verdicts.ts';
import { exchangeLines, parsedExchange } from './exchange-lines.ts';

/** Reads the run's exchanges from the same folder. */
export async function writeHar({ run }: Report, folder: string): Promise<void> {
  const parts = har(exchangeLines(path.join(folder, 'exchanges.ndjson')), run);
  await pipeline(Readable.from(parts), createWriteStream(path.join(folder, 'exchanges.har'), { mode: 0o600 }));
}

/** A line that was cut short is left out. */
async function* har(lines: AsyncIterable<string>, { assay, startedAt }: Report['run']): AsyncGenerator<string> {
  const comment = 'startedDateTime tells the order of the requests, not the time of day.';
  const log = JSON.stringify({ version: '1.2', creator: { name: 'assay', version: assay }, comment });
  yield `{"log":${log.slice(0, -1)},"entries":[`;
  let separator = '\n';
  for await (const line of lines) {
    const record = parsedExchange(line);
    if (record === undefined) continue;
    yield `${separator}${jsonText(entryOf(record, startedAt))}`;
    separator = ',\n';
  }
  yield '\n]}}\n';
}

function entryOf({ number, requirement, request, answer, failure, durationMs }: ExchangeRecord, startedAt: string) {
  return {
    // The file has no instants: a millisecond apart, they are shown in the order in which they were sent.
    startedDateTime: new Date(Date.parse(startedAt) + number).toISOString(),
    time: durationMs,
    request: requestOf(request),
    response: answer === null ? noResponse(failure) : responseOf(answer),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: requirement ?? '',
  };
}

/** -1: not known. */
const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

function requestOf({ method, url, headers, body }: RequestRecord) {
  const postData = body === null ? {} : { postData: { mimeType: valueOf(headers, 'content-type'), text: body } };
  return {
    method,
    url,
    ...common,
    headers: pairs(headers),
    queryString: queryOf(url),
    ...postData,
    bodySize: sizeOf(body),
  };
}

function responseOf({ status, headers, body }: AnswerRecord) {
  const mimeType = valueOf(headers, 'content-type');
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    ...common,
    headers: pairs(headers),
    content: { size: sizeOf(body), mimeType, ...(body === null ? {} : { text: body }) },
    redirectURL: valueOf(headers, 'location'),
    bodySize: sizeOf(body),
  };
}

/** As browsers write a request that was never answered. */
const noResponse = (failure = 'no answer') => ({
  status: 0,
  statusText: '',
  ...common,
  headers: [],
  content: { size: 0, mimeType: '' },
  redirectURL: '',
  bodySize: -1,
  _error: failure,
});

const pairs = (headers: HeaderRecord): { name: string; value: string }[] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));

const valueOf = (headers: HeaderRecord, name: string): string => [headers[name] ?? ''].flat().join(', ');

const sizeOf = (body: string | null): number => (body === null ? 0 : Buffer.byteLength(body));

/** A deliberately broken address has none. */
function queryOf(url: string): { name: string; value: string }[] {
  const query = URL.canParse(url) ? new URL(url).searchParams : [];
  return [...query].map(([name, value]) => ({ name, value }));
}
