/** Reads exchanges.ndjson, which `assay test` and `assay proxy --record` write. */
import { z } from 'zod';
import { parseJson } from '../../../spec/files/parse-json.ts';
import type { Part } from '../../../suites/judge/seen.ts';
import { countSkipped } from './count-skipped.ts';
import type { RecordedBody, RecordedExchange, RecordedHeaders, Recording } from './recorded-exchange.ts';
import { lacksSecret } from './removed-secrets.ts';
import { isTruncated } from './truncated-text.ts';

const headers = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const body = z.string().nullable();

/** The parts of an ExchangeRecord that are read. */
const recordSchema = z.object({
  number: z.number().int(),
  credential: z.string().optional(),
  request: z.object({ method: z.string().toUpperCase(), url: z.string(), headers, body }),
  answer: z.object({ status: z.number().int(), headers, body }).nullable(),
  durationMs: z.number().optional(),
  startedAt: z.number().optional(),
  unknown: z.array(z.string()).default([]),
});

type ReadRecord = z.infer<typeof recordSchema>;

/** By its first line. */
export const isExchangeRecords = (text: string): boolean => readLine(text.split('\n', 1)[0] ?? '') !== undefined;

/** `text` has a record in each line; that of a killed run ends within one. */
export function readExchangeRecords(file: string, text: string): Recording {
  const skipped = countSkipped();
  const records = text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const record = readLine(line);
    const reason = record === undefined ? 'invalid entry' : whySkipped(record);
    if (reason !== undefined) skipped.add(reason);
    return record === undefined || reason !== undefined ? [] : [record];
  });
  return {
    exchanges: records.toSorted((a, b) => a.number - b.number).flatMap((record) => readRecord(file, record)),
    skipped: skipped.counts,
    writer: 'assay test',
    isReserialized: false,
  };
}

function readLine(line: string): ReadRecord | undefined {
  try {
    return recordSchema.safeParse(parseJson(line)).data;
  } catch {
    return undefined;
  }
}

function whySkipped({ request: { url }, answer }: ReadRecord): string | undefined {
  if (answer === null) return 'no response';
  if (isTruncated(url) || !/^https?:/i.test(url) || !URL.canParse(url)) return 'invalid entry';
  return lacksSecret(url) ? 'URL without its secrets' : undefined;
}

function readRecord(file: string, record: ReadRecord): RecordedExchange[] {
  const { number, credential, request, answer, startedAt, durationMs, unknown } = record;
  if (answer === null) return [];
  const bodyOf = (text: string | null, part: Part): RecordedBody =>
    unknown.includes(part) ? { unknown: 'the proxy did not keep it' } : readBody(text);
  const requestHeaders = linesOf(request.headers);
  const isRemoved = requestHeaders.some(([name, value]) => /authorization$/i.test(name) && lacksSecret(value));
  return [
    {
      source: `${file}, exchange ${number}`,
      method: request.method,
      url: request.url.split('#', 1)[0] ?? '',
      requestHeaders,
      requestBody: bodyOf(request.body, 'the request body'),
      status: answer.status,
      responseHeaders: linesOf(answer.headers),
      responseBody: bodyOf(answer.body, 'the response body'),
      isCallerUnknown: (credential === undefined && isRemoved) || unknown.includes('the caller' satisfies Part),
      isRepeat: false,
      ...(credential === undefined ? {} : { credential }),
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(startedAt === undefined || durationMs === undefined ? {} : { endedAt: startedAt + durationMs }),
    },
  ];
}

const linesOf = (record: ReadRecord['request']['headers']): RecordedHeaders =>
  Object.entries(record).flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const));

function readBody(text: string | null): RecordedBody {
  if (text === null) return { text: '' };
  if (isTruncated(text)) return { unknown: 'it is truncated' };
  return lacksSecret(text) ? { unknown: 'a secret was removed from it' } : { text };
}
