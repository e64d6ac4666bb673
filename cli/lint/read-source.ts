/** Reads documents from files and addresses. A document from an address may refer only to its origin, a file only to files. */
import { describeFileError } from '../../spec/describe-file-error.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { requireFewAliases } from '../../spec/files/parse-yaml.ts';
import { measureJson } from '../../spec/files/parse-json.ts';
import { decodeUtf8, isOpenedPipe, readTextFile, readTextStream } from '../../spec/files/read-text.ts';
import { createBlocks } from '../../spec/network/blocks.ts';
import { MAX_DEPTH, TooComplex, depthError } from '../../spec/files/too-complex.ts';
import { printableName, STANDARD_INPUT } from './document-name.ts';
import path from 'node:path';
import type { Response } from 'undici';

/** Why a source could not be read, as a sentence. */
export class UnreadableSource extends Error {}

const MAX_REDIRECTS = 5;
const MAX_BYTES = 32 * 1024 * 1024;

export interface Source {
  /** Absolute path, or the address in the end. */
  name: string;
  text: string;
}

export const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);

const EXPECTED = 'Expected a file path or a URL that starts with http:// or https://.';

function addressOf(name: string): URL {
  const address = URL.parse(name);
  if (address === null) throw new UnreadableSource(`Not a URL. ${EXPECTED}`);
  return address;
}

const hasScheme = (name: string): boolean => /^[a-z][a-z\d+.-]+:\/\//i.test(name);

/** Reads the document that the user named. A URL may redirect to any other one. Throws UnreadableSource. */
export async function readDocument(name: string): Promise<Source> {
  if (name === STANDARD_INPUT) return readStandardInput();
  if (name === '') throw new UnreadableSource(`The name is empty. ${EXPECTED}`);
  if (isAddress(name)) return download(addressOf(name), () => true);
  if (hasScheme(name)) throw new UnreadableSource(`Unsupported URL scheme. ${EXPECTED}`);
  const file = path.resolve(name);
  // The parent process passes an opened pipe as standard input.
  return { name: file, text: textOfFile(isOpenedPipe(file) ? '/dev/stdin' : file, file) };
}

/** Its references are relative to the working directory. */
async function readStandardInput(): Promise<Source> {
  const name = path.resolve(printableName(STANDARD_INPUT));
  try {
    const text = await readTextStream(process.stdin, MAX_BYTES);
    requireModest(name, text);
    return { name, text };
  } catch (error) {
    throw unreadable(error);
  }
}

/** Reads the target of a reference. Throws UnreadableSource, also for references that may not be followed. */
export async function readReferencedFile(target: string, from: string): Promise<string> {
  if (!isAddress(from)) {
    if (hasScheme(target)) throw new UnreadableSource('A file may only refer to files.');
    return textOfFile(target);
  }
  const { origin } = new URL(from);
  const allowed = (url: URL) => url.origin === origin;
  if (!isAddress(target) || !allowed(new URL(target))) throw new UnreadableSource(`It is not of the origin ${origin}.`);
  return (await download(new URL(target), allowed)).text;
}

/** Only what the user named may be a pipe: a reference could lead to one that never ends. */
function textOfFile(file: string, name?: string): string {
  return checked(name ?? file, () => readTextFile(file, MAX_BYTES, { mayBePipe: name !== undefined }));
}

/** Each URL of a redirect chain is checked before it is requested. */
async function download(url: URL, allowed: (url: URL) => boolean, redirects = 0): Promise<Source> {
  if (url.username !== '' || url.password !== '') throw new UnreadableSource('URLs with a password are not supported.');
  const response = await ask(url);
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    await response.body?.cancel();
    const next = new URL(location, url);
    if (redirects === MAX_REDIRECTS || !isAddress(next.href) || !allowed(next)) {
      throw new UnreadableSource(`It leads on to ${next.origin}, which is not followed.`);
    }
    return download(next, allowed, redirects + 1);
  }
  if (!response.ok) throw new UnreadableSource(`The server responded with status ${response.status}.`);
  const bytes = await bytesOf(response);
  return { name: url.href, text: checked(url.pathname, () => decodeUtf8(bytes)) };
}

async function ask(url: URL): Promise<Response> {
  // Only here: a file is linted without what requests need. Outside of the try: a failure is not one of the server.
  const { requestAddress } = await import('./request-address.ts');
  try {
    return await requestAddress(url);
  } catch (error) {
    const { cause, message } = error as Error;
    if (error instanceof InvalidInput) throw new UnreadableSource(message);
    throw new UnreadableSource(`The server does not respond (${cause instanceof Error ? cause.message : message}).`);
  }
}

async function bytesOf({ body }: Response): Promise<Buffer> {
  const blocks = createBlocks();
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new UnreadableSource(`It is larger than ${MAX_BYTES / 1024 / 1024} MiB.`);
    blocks.append(chunk);
  }
  return blocks.concat();
}

/** Throws UnreadableSource if the text cannot be read or is too complex for Spectral's parsers. */
function checked(name: string, read: () => string): string {
  try {
    const text = read();
    requireModest(name, text);
    return text;
  } catch (error) {
    throw unreadable(error);
  }
}

const unreadable = (error: unknown): UnreadableSource =>
  new UnreadableSource(error instanceof TooComplex ? error.message : `It ${describeFileError(error)}.`);

/** Spectral's parsers call themselves for each level, and that of YAML expands every alias: a few lines to billions of values. */
function requireModest(name: string, text: string): void {
  if (startsLikeJson(text) && measureJson(text).depth > MAX_DEPTH) throw depthError();
  if (!name.endsWith('.json') && !isJson(text)) requireFewAliases(text);
}

const startsLikeJson = (text: string): boolean => /^\s*[{[]/.test(text);

export function isJson(text: string): boolean {
  if (!startsLikeJson(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
