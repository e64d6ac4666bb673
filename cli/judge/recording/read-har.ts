/** Reads the entries of a HAR: what a server answered to whom, in the order of time. */
import { InvalidInput } from '../../../spec/formats/invalid-input.ts';
import { readFormat } from '../../../spec/formats/read-format.ts';
import { readRequestBody, readResponseBody, type BodyOptions } from './har-body.ts';
import { entrySchema, harSchema, type HarEntry } from './har-format.ts';
import { headerIn, readHeaders } from './har-headers.ts';
import type { RecordedExchange, RecordedHeaders, Recording } from './recorded-exchange.ts';
import { lacksSecret, variableIn } from './removed-secrets.ts';
import { countSkipped } from './count-skipped.ts';
import type { UnpackedRecording } from './unpack-recording.ts';

/** Client libraries that parse bodies before they are written, and follow redirects. */
const reserializingWriters = /axios/i;

/** Throws InvalidInput. */
export async function readHar(
  file: string,
  json: unknown,
  readBody: UnpackedRecording['readBody'],
): Promise<Recording> {
  const { log } = readFormat(harSchema, json);
  if (log.entries.length === 0) throw new InvalidInput(NO_ENTRIES);
  const { name = 'unknown writer', version = '' } = log.creator ?? {};
  const isReserialized = reserializingWriters.test(name);
  const entries = log.entries.map((found, index) => ({
    entry: entrySchema.safeParse(found).data,
    source: `${file}, entry ${index + 1}`,
  }));
  const skipped = countSkipped();
  const judged = entries.flatMap(({ entry, source }) => {
    const reason = entry === undefined ? 'invalid entry' : whySkipped(entry, isReserialized);
    if (reason !== undefined) skipped.add(reason);
    return entry === undefined || reason !== undefined ? [] : [{ entry, source }];
  });
  const context: Context = {
    readBody,
    isReserialized,
    isSanitized:
      name === 'WebInspector' || !entries.some(({ entry }) => entry !== undefined && hasCredentials(entry.request)),
    hasTimes: name !== 'assay' || log.comment !== ONLY_ORDER,
    hidesCache: name === 'Firefox',
  };
  const exchanges: RecordedExchange[] = [];
  for (const { entry, source } of sortByTime(judged)) exchanges.push(await readEntry(entry, source, context));
  return { exchanges, skipped: skipped.counts, writer: `${name} ${version}`.trim(), isReserialized };
}

/** Older versions of assay wrote it in their files. */
const ONLY_ORDER = 'startedDateTime shows the order of requests, not the time of day.';

const NO_ENTRIES =
  'log.entries is empty: expected at least one exchange. Playwright writes them when the context is closed, and requests of context.request only with tracing.startHar.';

interface Context extends BodyOptions {
  /** The file has no Authorization header at all, so they may have been removed. */
  readonly isSanitized: boolean;
  /** The times are those of the clock. */
  readonly hasTimes: boolean;
  /** The writer has no mark for responses from its cache. */
  readonly hidesCache: boolean;
}

const hasCredentials = ({ headers }: HarEntry['request']): boolean =>
  headers.some(({ name }) => name.toLowerCase() === 'authorization');

/** In the order of the checks. */
const skipReasons: readonly (readonly [reason: string, applies: (entry: HarEntry) => boolean])[] = [
  ['not an HTTP request', ({ request }) => request.method === 'CONNECT' || !/^https?:\/\//i.test(request.url)],
  ['invalid entry', ({ request }) => !URL.canParse(request.url)],
  ['preflight request', isPreflight],
  ['WebSocket', ({ response }) => response.status === 101],
  ['no response', ({ response }) => response.status < 200 || response.status > 999],
  ['response that no server sent', ({ isInvented }) => isInvented],
  ['URL without its secrets', ({ request }) => lacksSecret(request.url)],
];

function whySkipped(entry: HarEntry, isReserialized: boolean): string | undefined {
  const found = skipReasons.find(([, applies]) => applies(entry))?.[0];
  if (found !== undefined) return found;
  return isReserialized && isPage(entry) ? 'page that a redirect may have led to' : undefined;
}

function isPreflight({ request: { method, headers }, resourceType }: HarEntry): boolean {
  if (resourceType === 'preflight') return true;
  return method === 'OPTIONS' && headers.some(({ name }) => name.toLowerCase() === 'access-control-request-method');
}

const isPage = ({ response: { status, headers } }: HarEntry): boolean =>
  status <= 299 && (headerIn(readHeaders(headers), 'content-type') ?? '').startsWith('text/html');

interface Sorted {
  readonly entry: HarEntry;
  readonly source: string;
}

/** An entry without a time stays behind the one before it. */
function sortByTime(entries: readonly Sorted[]): readonly Sorted[] {
  let last = -Infinity;
  const timed = entries.map((each) => {
    last = timeOf(each.entry) ?? last;
    return { each, time: last };
  });
  // Not by subtraction: -Infinity minus itself is no number.
  return timed.toSorted((a, b) => (a.time === b.time ? 0 : a.time < b.time ? -1 : 1)).map(({ each }) => each);
}

/** Milliseconds since the epoch. A time without offset is in UTC. */
function timeOf({ startedDateTime }: HarEntry): number | undefined {
  const [, start, fraction = '', offset = ''] =
    /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i.exec(startedDateTime.trim()) ?? [];
  if (start === undefined) return undefined;
  const time = Date.parse(`${start.replace(' ', 'T')}${offset === '' ? 'Z' : offset}`);
  return Number.isNaN(time) ? undefined : time + Number(`0${fraction}`) * 1000;
}

async function readEntry(entry: HarEntry, source: string, context: Context): Promise<RecordedExchange> {
  const { request, response, time } = entry;
  const requestHeaders = readHeaders(request.headers);
  const responseHeaders = readHeaders(response.headers);
  const startedAt = context.hasTimes ? timeOf(entry) : undefined;
  return {
    source,
    method: request.method,
    url: request.url.split('#', 1)[0] ?? '',
    requestHeaders,
    requestBody: await readRequestBody(request, requestHeaders, context),
    status: response.status,
    responseHeaders,
    responseBody: await readResponseBody(entry, responseHeaders, context),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(startedAt === undefined || time < 0 ? {} : { endedAt: startedAt + time }),
    ...readCaller(requestHeaders, context.isSanitized),
    isRepeat: isRepeat(entry, requestHeaders, responseHeaders) || (context.hidesCache && looksCached(entry)),
  };
}

function readCaller(
  headers: RecordedHeaders,
  isSanitized: boolean,
): Pick<RecordedExchange, 'isCallerUnknown' | 'credential'> {
  const values = new Set(headers.flatMap(([name, value]) => (/^(?:x-.+-)?authorization$/i.test(name) ? [value] : [])));
  const [value] = values;
  if (value === undefined) return { isCallerUnknown: isSanitized };
  const credential = values.size === 1 ? variableIn(value) : undefined;
  if (credential !== undefined) return { isCallerUnknown: false, credential };
  // Numbered placeholders tell the callers apart.
  return { isCallerUnknown: [...values].some((each) => lacksSecret(each) && !/\d$/.test(each)) };
}

function isRepeat(entry: HarEntry, requestHeaders: RecordedHeaders, responseHeaders: RecordedHeaders): boolean {
  if (entry.isCached || entry.response.status === 304) return true;
  const isConditional = ['if-none-match', 'if-modified-since'].some(
    (name) => headerIn(requestHeaders, name) !== undefined,
  );
  // Some writers show a 304 as a 200 with the headers of the 304.
  return isConditional && headerIn(responseHeaders, 'content-type') === undefined;
}

/** In Firefox: nothing was waited for, and no headers were received. */
const looksCached = ({ request, response, time }: HarEntry): boolean =>
  request.method === 'GET' && time === 0 && response.bodySize === response.content.size;
