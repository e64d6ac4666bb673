/** Reads documents from files and addresses: from an address only what is of the same origin, from a file only files. */
import { describeFileError } from '../../spec/describe-file-error.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

/** Why a source could not be read, as a sentence. */
export class Unreadable extends Error {}

const LONGEST_WAIT_MS = 30_000;
const MAX_REDIRECTS = 5;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ALIASES = 10_000;

export interface Source {
  /** Absolute path, or the address in the end. */
  name: string;
  text: string;
}

export const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);

const EXPECTED = 'Expected a file path or a URL that starts with http:// or https://.';

function addressOf(name: string): URL {
  const address = URL.parse(name);
  if (address === null) throw new Unreadable(`Not a URL. ${EXPECTED}`);
  return address;
}

const hasScheme = (name: string): boolean => /^[a-z][a-z\d+.-]+:\/\//i.test(name);

/** Reads the document that the user named. A URL may redirect to any other one. Throws Unreadable. */
export async function readDocument(name: string): Promise<Source> {
  if (name === '') throw new Unreadable(`The name is empty. ${EXPECTED}`);
  if (isAddress(name)) return download(addressOf(name), () => true);
  if (hasScheme(name)) throw new Unreadable(`Unsupported URL scheme. ${EXPECTED}`);
  const file = path.resolve(name);
  return { name: file, text: await textOfFile(file) };
}

/** Reads the target of a reference. Throws Unreadable, also for references that may not be followed. */
export async function readReferred(target: string, from: string): Promise<string> {
  if (!isAddress(from)) {
    if (hasScheme(target)) throw new Unreadable('A file may only refer to files.');
    return textOfFile(target);
  }
  const { origin } = new URL(from);
  const allowed = (url: URL) => url.origin === origin;
  if (!isAddress(target) || !allowed(new URL(target))) throw new Unreadable(`It is not of the origin ${origin}.`);
  return (await download(new URL(target), allowed)).text;
}

async function textOfFile(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > MAX_BYTES) throw new Unreadable(`It has more than ${MAX_BYTES} bytes.`);
    return decoded(bytes);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`It ${describeFileError(error)}.`);
  }
}

/** Each URL of a redirect chain is checked before it is requested. */
async function download(url: URL, allowed: (url: URL) => boolean, redirects = 0): Promise<Source> {
  if (url.username !== '' || url.password !== '') throw new Unreadable('URLs with a password are not supported.');
  const response = await ask(url);
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    await response.body?.cancel();
    const next = new URL(location, url);
    if (redirects === MAX_REDIRECTS || !isAddress(next.href) || !allowed(next)) {
      throw new Unreadable(`It leads on to ${next.origin}, which is not followed.`);
    }
    return download(next, allowed, redirects + 1);
  }
  if (!response.ok) throw new Unreadable(`The server responded with status ${response.status}.`);
  return { name: url.href, text: decoded(await bytesOf(response)) };
}

async function ask(url: URL): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
  } catch (error) {
    const { cause, message } = error as Error;
    throw new Unreadable(`The server does not respond (${cause instanceof Error ? cause.message : message}).`);
  }
}

async function bytesOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Unreadable(`It has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decoded(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    refuseBomb(text);
    return text;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('It is not UTF-8.');
  }
}

/** Spectral's YAML parser expands every alias, and a few lines can expand to billions. */
function refuseBomb(text: string): void {
  if (!/(^|[\s[,{:-])\*[\w-]/m.test(text) || /^\s*[{[]/.test(text)) return;
  try {
    parse(text, { maxAliasCount: MAX_ALIASES, logLevel: 'silent' });
  } catch (error) {
    // The linter reports all other errors with their line.
    if (error instanceof ReferenceError && error.message.startsWith('Excessive')) {
      throw new Unreadable('Its aliases refer to each other too often.');
    }
  }
}
