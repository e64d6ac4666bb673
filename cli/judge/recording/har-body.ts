/** Bodies of a HAR entry: known, known to be empty, or unknown. */
import { measureJson } from '../../../spec/files/parse-json.ts';
import { decodeContent } from '../../../spec/network/content-coding.ts';
import type { HarBody, HarEntry } from './har-format.ts';
import { contentLengthIn, headerIn } from './har-headers.ts';
import type { RecordedBody, RecordedHeaders } from './recorded-exchange.ts';
import { lacksSecret } from './removed-secrets.ts';
import { isTruncated } from './truncated-text.ts';
import { MAX_BODY_BYTES, type UnpackedRecording } from './unpack-recording.ts';

export interface BodyOptions {
  readonly readBody: UnpackedRecording['readBody'];
  /** The writer parsed JSON bodies and wrote them again. */
  readonly isReserialized: boolean;
}

const empty: RecordedBody = { text: '' };
const missing: RecordedBody = { unknown: 'the recording does not contain it' };

export async function readRequestBody(
  { method, postData, bodySize = 0 }: HarEntry['request'],
  headers: RecordedHeaders,
  options: BodyOptions,
): Promise<RecordedBody> {
  const length = contentLengthIn(headers);
  if (postData !== undefined) {
    const found = await readContent(postData, headers, options);
    if (found !== undefined) return found;
    const form = formOf(postData);
    if (form !== undefined) return form;
  }
  if (length === 0) return empty;
  const saysNothing = length === undefined && headerIn(headers, 'transfer-encoding') === undefined && bodySize <= 0;
  if (!saysNothing) return missing;
  if (postData?.text === '') return empty;
  // Browsers send no Content-Length with these methods if there is no body; others without one may be provisional headers.
  return postData === undefined && /^(?:GET|HEAD|DELETE|OPTIONS)$/.test(method) ? empty : missing;
}

/** Undefined unless the parameters are surely those that were sent: some writers decode them, others do not. */
function formOf({ mimeType = '', params = [] }: HarBody): RecordedBody | undefined {
  if (!mimeType.startsWith('application/x-www-form-urlencoded') || params.length === 0) return undefined;
  const pairs = params.map((param) => {
    const { name, value } = Object(param) as { name?: unknown; value?: unknown };
    return [name, value];
  });
  if (!pairs.flat().every((each) => typeof each === 'string' && !/[%+]/.test(each))) return undefined;
  const text = new URLSearchParams(pairs as [string, string][]).toString();
  return lacksSecret(text) ? { unknown: 'a secret was removed from it' } : { text };
}

export async function readResponseBody(
  { request: { method }, response: { status, content }, isInterrupted, messages }: HarEntry,
  headers: RecordedHeaders,
  options: BodyOptions,
): Promise<RecordedBody> {
  if (isInterrupted) return { unknown: 'the response was interrupted' };
  // A body of a 304 is from the writer's cache.
  if (method === 'HEAD' || status === 204 || status === 304) return empty;
  const found = await readContent(content, headers, options);
  if (found !== undefined) return found;
  if (messages !== undefined) return { text: eventStreamOf(messages) };
  const length = contentLengthIn(headers);
  if (length === 0) return empty;
  const isEmpty = content.text === '' && content.size === 0 && length === undefined;
  return isEmpty && headerIn(headers, 'transfer-encoding') === undefined ? empty : missing;
}

const eventStreamOf = (messages: NonNullable<HarEntry['messages']>): string =>
  messages
    .map(({ eventName, eventId, data }) => {
      const id = eventId === undefined || eventId === '' ? '' : `id: ${eventId}\n`;
      const event = eventName === undefined || eventName === 'message' ? '' : `event: ${eventName}\n`;
      return `${id}${event}${data
        .split('\n')
        .map((line) => `data: ${line}\n`)
        .join('')}\n`;
    })
    .join('');

/** Undefined if there is no text and no file. */
async function readContent(
  { text = '', encoding, file: name = '' }: HarBody,
  headers: RecordedHeaders,
  { readBody, isReserialized }: BodyOptions,
): Promise<RecordedBody | undefined> {
  const file = text === '' && name !== '' ? await readBody(name) : undefined;
  if (file !== undefined && 'unknown' in file) return file;
  const written = file ?? (encoding === 'base64' ? Buffer.concat(chunksOf(text)) : undefined);
  if (written === undefined && text === '') return undefined;
  const bytes = written === undefined ? undefined : withoutCoding(written, headers);
  const type = headerIn(headers, 'content-type') ?? '';
  const charset = charsetOf(type);
  const body = bytes === undefined ? readText(text, charset, headers) : decode(bytes, charset);
  if (isReserialized && !/^$|\bjson\b|^text\/|urlencoded/i.test(type)) return { unknown: 'the writer changed it' };
  const unknown = whyUnknown(body.text, type);
  if (unknown !== undefined) return { unknown };
  const isWhole = isReserialized && isJson(body.text);
  return isWhole || !isShort(bytes?.length ?? lengthOf(body, charset), headers) ? body : truncated;
}

/** Polly.JS writes the base64 of each chunk into a JSON array. Otherwise there is one. */
const chunksOf = (text: string): Buffer[] =>
  (text.startsWith('[') ? (text.match(/[\w+/=]+/g) ?? []) : [text]).map((chunk) => Buffer.from(chunk, 'base64'));

/** Most writers decode the Content-Encoding; bytes that are not in it are decoded already. */
function withoutCoding(bytes: Buffer, headers: RecordedHeaders): Buffer {
  try {
    return decodeContent(bytes, headerIn(headers, 'content-encoding') ?? '', MAX_BODY_BYTES);
  } catch {
    return bytes;
  }
}

const truncated = { unknown: 'it is truncated' };

function whyUnknown(text: string, type: string): string | undefined {
  if (text.endsWith('\0') || isTruncated(text)) return truncated.unknown;
  if (lacksSecret(text)) return 'a secret was removed from it';
  if (/[/+]json\b/i.test(type) && measureJson(text).open > 0) return 'it ends within a JSON value';
  if (/^text\/event-stream\b/i.test(type) && !/(?:\r\n|\n|\r)(?:\r\n|\n|\r)$/.test(text))
    return 'it ends within an event';
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const charsetOf = (type: string): string => /;\s*charset="?([^\s;"]+)/i.exec(type)?.[1]?.toLowerCase() ?? UTF_8;

const UTF_8 = 'utf-8';

type KnownBody = Extract<RecordedBody, { text: string }>;

/** Writers that have no encoding for bytes write one character per byte. */
function readText(text: string, charset: string, headers: RecordedHeaders): KnownBody {
  const isBytes =
    charset === UTF_8 &&
    text.length === contentLengthIn(headers) &&
    Buffer.byteLength(text) > text.length &&
    Buffer.from(text, 'latin1').toString('latin1') === text;
  return isBytes ? { text, bytes: true } : { text: text.replace(/^\ufeff/, '') };
}

function decode(bytes: Buffer, charset: string): KnownBody {
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes) };
  } catch {
    // Not in that charset, or the charset is unknown.
    return { text: bytes.toString('latin1'), bytes: true };
  }
}

/** Bytes of the body as it was sent, at most: characters that are not in a charset take more bytes in UTF-8. */
function lengthOf({ text, bytes }: KnownBody, charset: string): number {
  if (/^(?:utf-?16|ucs-2)/.test(charset)) return Infinity;
  return bytes === true ? text.length : Buffer.byteLength(text);
}

/** Whether there are fewer bytes than were sent. Decoders remove a byte order mark. */
function isShort(length: number, headers: RecordedHeaders): boolean {
  const sent = contentLengthIn(headers);
  if (sent === undefined || headerIn(headers, 'content-encoding') !== undefined) return false;
  return length < sent && length + BYTE_ORDER_MARK !== sent;
}

/** Bytes. */
const BYTE_ORDER_MARK = 3;
