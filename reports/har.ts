/** Converts exchanges.ndjson to exchanges.har (HTTP Archive 1.2), as a stream. */
import { createWriteStream } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonText } from '../spec/json-text.ts';
import type { ResponseRecord, ExchangeRecord, HeaderRecord, Report, RequestRecord } from '../spec/verdicts.ts';
import { readExchangeLines, parseExchange } from './exchange-lines.ts';

/** Reads the run's exchanges from the same folder. */
export async function writeHar({ run }: Report, folder: string): Promise<void> {
  const parts = har(readExchangeLines(path.join(folder, 'exchanges.ndjson')), run);
  await pipeline(Readable.from(parts), createWriteStream(path.join(folder, 'exchanges.har'), { mode: 0o600 }));
}

/** Skips truncated lines. */
async function* har(lines: AsyncIterable<string>, { assay, startedAt }: Report['run']): AsyncGenerator<string> {
  const log = JSON.stringify({ version: '1.2', creator: { name: 'assay', version: assay } });
  yield `{"log":${log.slice(0, -1)},"entries":[`;
  let separator = '\n';
  for await (const line of lines) {
    const record = parseExchange(line);
    if (record === undefined) continue;
    yield `${separator}${jsonText(entryOf(record, startedAt))}`;
    separator = ',\n';
  }
  yield '\n]}}\n';
}

function entryOf(record: ExchangeRecord, runStartedAt: string) {
  const { number, requirement, request, answer, failure, durationMs } = record;
  // Older versions recorded no times: one millisecond apart, exchanges are sorted by when they were sent.
  const { startedAt = Date.parse(runStartedAt) + number } = record;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: requestOf(request),
    response: answer === null ? noResponse(failure) : responseOf(answer),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: requirement ?? '',
  };
}

/** -1 means unknown. */
const commonFields = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

function requestOf({ method, url, headers, body }: RequestRecord) {
  const postData = body === null ? {} : { postData: { mimeType: valueOf(headers, 'content-type'), text: body } };
  return {
    method,
    url,
    ...commonFields,
    headers: headerPairs(headers),
    queryString: queryOf(url),
    ...postData,
    bodySize: sizeOf(body),
  };
}

function responseOf({ status, headers, body }: ResponseRecord) {
  const mimeType = valueOf(headers, 'content-type');
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    ...commonFields,
    headers: headerPairs(headers),
    content: { size: sizeOf(body), mimeType, ...(body === null ? {} : { text: body }) },
    redirectURL: valueOf(headers, 'location'),
    bodySize: sizeOf(body),
  };
}

/** The form in which browsers export a request without a response. */
const noResponse = (failure = 'no response') => ({
  status: 0,
  statusText: '',
  ...commonFields,
  headers: [],
  content: { size: 0, mimeType: '' },
  redirectURL: '',
  bodySize: -1,
  _error: failure,
});

const headerPairs = (headers: HeaderRecord): { name: string; value: string }[] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));

const valueOf = (headers: HeaderRecord, name: string): string => [headers[name] ?? ''].flat().join(', ');

const sizeOf = (body: string | null): number => (body === null ? 0 : Buffer.byteLength(body));

/**
 * Names and values as in the URL, as browsers export them: consumers decode them, some without knowing that + is a space. Pairs
 * that cannot be decoded, or without a name, are omitted, because consumers reject the whole file for one; the URL has them.
 */
function queryOf(url: string): { name: string; value: string }[] {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  const pairs = query.split('&').filter((pair) => !/^(?:=|$)/.test(pair) && isDecodable(pair));
  return pairs.map((pair) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair.replaceAll('+', '%20')) ?? [];
    return { name, value };
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
