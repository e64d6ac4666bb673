/**
 * For tests: a sandbox server that behaves as one in wide use does, written in Go with gin, fsnotify and the official MCP SDK
 * for Go 1.7.0 (observed in November 2026). It shares no code with the mock.
 */
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { mcpReply } from './published-mcp.ts';

export interface PublishedSandboxOptions {
  /** A JSON object for each event, as published, or its path, as the interface demands. */
  readonly lines: 'JSON objects' | 'paths';
  /** Relative paths of watches and uploads are below it, those of trees below the root. Most images have a folder below it. */
  readonly workingDirectory?: '/' | '/app';
  /** As published: 30 s. */
  readonly keepAliveMs?: number;
  /** Whether a gateway finds only watches whose path is absolute, and encoded so that it is one segment. */
  readonly hasEncodedWatches?: boolean;
  /** How many watches of a directory that has been watched before are set up slowly: they miss what happens in 7 s. */
  readonly slowWatches?: number;
}

export interface PublishedSandbox extends AsyncDisposable {
  readonly target: TargetFile;
}

const KEEP_ALIVE_MS = 30_000;
const SET_UP_MS = 7000;

/** One file system event; an empty file that is created has no WRITE. */
interface Event {
  readonly op: 'CREATE' | 'WRITE';
  readonly directory: string;
  readonly name: string;
}

type Reply = readonly [status: number, body: unknown];

const NOT_FOUND: Reply = [404, '404 page not found'];
const NOT_A_DIRECTORY: Reply = [400, { error: 'path is not a directory' }];

class Refusal extends Error {
  readonly reply: Reply;
  constructor(status: number, error: string) {
    super(error);
    this.reply = [status, { error }];
  }
}

export async function startPublishedSandbox(options: PublishedSandboxOptions): Promise<PublishedSandbox> {
  const disk = createDisk();
  const uploads = new Map<string, object>();
  const watched: string[] = [];
  const server = http.createServer((request, response) => {
    void respond(request, response, {
      workingDirectory: '/app',
      keepAliveMs: KEEP_ALIVE_MS,
      slowWatches: 0,
      hasEncodedWatches: false,
      ...options,
      disk,
      uploads,
      watched,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target: {
      name: `published sandbox, ${options.lines}`,
      addresses: { management: `${origin}/v0`, host: origin, sandbox: origin },
      workspace: 'any',
      credentials: { apiKey: { value: 'any-key-of-the-platform' } },
      resources: { sandbox: 'published' },
      allow: 'write',
      rate: 0,
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Served extends Required<PublishedSandboxOptions> {
  readonly disk: Disk;
  readonly uploads: Map<string, object>;
  /** The directory of each watch so far. */
  readonly watched: string[];
}

async function respond(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const { method = '' } = request;
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  if (method === 'OPTIONS') return void response.writeHead(204).end();
  if (method === 'HEAD') return void response.writeHead(200).end();
  const watched = /^\/watch\/filesystem\/(.*)$/.exec(path);
  if (watched !== null && method === 'GET' && served.hasEncodedWatches && !/^%2F[^/]*$/i.test(watched[1]!))
    return send(response, NOT_FOUND);
  if (watched !== null && method === 'GET')
    return watch(response, decodeURIComponent(watched[1]!), new URLSearchParams(query), served);
  const body = await text(request);
  if (path === '/mcp') mcpReply(request, response, body);
  else send(response, replyTo(method, path, body, served));
}

function send(response: ServerResponse, [status, body]: Reply): void {
  const type = typeof body === 'string' ? 'text/plain' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

function replyTo(method: string, path: string, body: string, served: Served): Reply {
  const { disk, uploads } = served;
  try {
    const [, surface, rest = ''] = /^\/(filesystem\/tree|filesystem-multipart)(?:\/(.*))?$/.exec(path) ?? [];
    if (surface === 'filesystem/tree') {
      const spelled = decodeURIComponent(rest);
      if (method === 'PUT') disk.write(spelled, filesOf(body));
      if (method === 'PUT' || method === 'GET') return [200, disk.listing(spelled)];
    }
    if (surface === 'filesystem-multipart') {
      if (method === 'GET' && rest === '') return [200, { uploads: [...uploads.values()] }];
      const [, initiated] = /^initiate\/(.*)$/.exec(rest) ?? [];
      if (method === 'POST' && initiated !== undefined) return [200, initiate(served, decodeURIComponent(initiated))];
      const [, aborted = ''] = /^([^/]+)\/abort$/.exec(rest) ?? [];
      if (method === 'DELETE' && uploads.delete(aborted)) return [200, { message: 'upload aborted' }];
    }
    return NOT_FOUND;
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}

function initiate({ uploads, workingDirectory }: Served, spelled: string): object {
  const uploadId = randomUUID();
  const path = absolute(spelled, workingDirectory);
  uploads.set(uploadId, { uploadId, path, permissions: 420, initiatedAt: new Date().toISOString(), parts: {} });
  return { uploadId, path };
}

/** What follows the JSON value is ignored, and so are the media type and missing files. */
function filesOf(body: string): Readonly<Record<string, string>> {
  const { files } = parsed(body);
  if (files === undefined || files === null) return {};
  const isMap = typeof files === 'object' && !Array.isArray(files);
  const contents = isMap ? Object.values(files) : [];
  if (!isMap || !contents.every((content) => typeof content === 'string' || content === null))
    throw new Refusal(400, 'invalid request body: cannot unmarshal into string');
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, (content as string | null) ?? '']));
}

function parsed(body: string): { readonly files?: unknown } {
  try {
    const value: unknown = JSON.parse(body);
    if (value === null) return {};
    if (typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {
    // Refused below.
  }
  throw new Refusal(400, 'invalid request body: cannot unmarshal');
}

/** A relative path is below the directory `from`. */
function absolute(path: string, from: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith('/') ? path : `${from}/${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

interface Disk {
  isDirectory(path: string): boolean;
  /** Paths are as in the URL. Writes one file after the other, in random order, until one cannot be written. */
  write(spelled: string, files: Readonly<Record<string, string>>): void;
  listing(spelled: string): object;
  /** Returns a function that ends it. */
  watch(tell: (event: Event) => void): () => void;
}

function createDisk(): Disk {
  const directories = new Map<string, Date>(['/', '/app', '/tmp'].map((path) => [path, new Date()]));
  const files = new Map<string, { readonly content: string; readonly at: Date }>();
  const watchers = new Set<(event: Event) => void>();
  const tell = (op: Event['op'], path: string): void => {
    for (const watcher of watchers) watcher({ op, directory: parentOf(path), name: nameOf(path) });
  };
  function makeDirectory(path: string): void {
    if (directories.has(path)) return;
    if (files.has(path)) throw new Refusal(422, `mkdir ${path}: not a directory`);
    makeDirectory(parentOf(path));
    directories.set(path, new Date());
    tell('CREATE', path);
  }
  function writeFile(path: string, content: string): void {
    makeDirectory(parentOf(path));
    if (directories.has(path)) throw new Refusal(422, `open ${path}: is a directory`);
    if (!files.has(path)) tell('CREATE', path);
    else if (content === '') tell('WRITE', path); // It is cut.
    files.set(path, { content, at: new Date() });
    if (content !== '') tell('WRITE', path);
  }
  const inside = (paths: Iterable<string>, directory: string): string[] =>
    [...paths].filter((path) => path !== '/' && parentOf(path) === directory).toSorted();
  return {
    isDirectory: (path) => directories.has(path),
    write(spelled, given) {
      const top = absolute(`/${spelled}`, '/');
      makeDirectory(top);
      const shuffled = Object.entries(given)
        .map((entry) => ({ entry, at: Math.random() }))
        .toSorted((one, other) => one.at - other.at);
      for (const { entry } of shuffled) writeFile(absolute(entry[0] || '.', top), entry[1]);
    },
    listing(spelled) {
      const directory = absolute(`/${spelled}`, '/');
      if (!directories.has(directory)) throw new Refusal(400, 'path is not a directory');
      const path = `/${spelled.replace(/^\/+/, '')}`;
      const below = (name: string): string => (path.endsWith('/') ? `${path}${name}` : `${path}/${name}`);
      return {
        name: nameOf(path),
        path,
        files: inside(files.keys(), directory).map((file) => ({
          path: below(nameOf(file)),
          name: nameOf(file),
          permissions: '644',
          size: Buffer.byteLength(files.get(file)!.content),
          lastModified: files.get(file)!.at.toISOString().replace('Z', '123456Z'),
          owner: 'root',
          group: 'root',
        })),
        subdirectories: inside(directories.keys(), directory).map((each) => ({
          path: below(nameOf(each)),
          name: nameOf(each),
        })),
      };
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

/** Headers are sent with the first line. Subdirectories are included only if the path ends in `/**`. */
function watch(response: ServerResponse, spelled: string, query: URLSearchParams, served: Served): void {
  const { disk, lines, keepAliveMs, workingDirectory, slowWatches, watched } = served;
  const isRecursive = spelled.endsWith('/**');
  const top = absolute(isRecursive ? spelled.slice(0, -3) : spelled, workingDirectory);
  if (!disk.isDirectory(top)) return send(response, NOT_A_DIRECTORY);
  const isSlow = watched.filter((each, at) => watched.indexOf(each) < at).length < slowWatches && watched.includes(top);
  watched.push(top);
  const liveAt = performance.now() + (isSlow ? SET_UP_MS : 0);
  const ignored = (query.get('ignore') ?? '').split(',').filter((part) => part !== '');
  const write = (line: string): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/plain' });
    response.write(`${line}\n`);
  };
  const leave = disk.watch(({ op, directory, name }) => {
    if (performance.now() < liveAt) return;
    if (directory !== top && !(isRecursive && directory.startsWith(`${top}/`))) return;
    const path = `${directory}/${name}`;
    if (ignored.some((part) => path.includes(part))) return;
    write(lines === 'paths' ? path : JSON.stringify({ op, name, path: directory, error: null }));
  });
  const keepAlive = setInterval(() => write('[keepalive]'), keepAliveMs);
  response.on('close', () => {
    leave();
    clearInterval(keepAlive);
  });
}
