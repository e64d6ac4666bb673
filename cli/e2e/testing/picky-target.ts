/** A deployment that refuses more than the server behind it: what it does not accept is turned into a mistake that the server refuses. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { isFields } from '../../../suites/json/fields.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The elements that are objects. Empty if it is not a list. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

export interface PickyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
}

interface Resource {
  readonly metadata: Fields;
  readonly spec: Fields;
}

/** Whether the deployment refuses an otherwise valid write of the management API. */
export type Refuses = (body: Resource, request: PickyRequest) => boolean;

/** Whether it refuses another body: of an agent, a model, a job or a sandbox. */
export type RefusesData = (body: Fields, request: PickyRequest) => boolean;

export interface PickyTarget extends AsyncDisposable {
  readonly target: TargetFile;
}

/** Not documented; that of an update is 400. */
const STATUS_OF_CREATES = 422;

export interface PickyOptions {
  /** Defaults to none. */
  readonly refusesData?: RefusesData | undefined;
  /** Of a refused create. Defaults to 422. */
  readonly statusOfCreates?: number;
  /** The response to a refused write of the management API. Defaults to that of the server to a mistake. */
  readonly refusal?: { readonly status: number; readonly message?: string } | undefined;
  /** Requests of which only one is accepted at a time, and the response to others meanwhile. */
  readonly oneAtATime?: OneAtATime;
  /** Requests of which only so many are accepted within a time, and the response to others. */
  readonly rateLimit?: RateLimit;
  /** What it responds to everything for a time after so many responses 401. */
  readonly block?: Block;
  /** Which of the cursors that it has returned it accepts. */
  readonly cursors?: CursorLimit;
  /** The ids of threads that it accepts. Others get 400. Defaults to all. */
  readonly threads?: RegExp | undefined;
  /** The status in place of 401. */
  readonly unauthorized?: number;
  /** The status with which it responds to a request in place of the server behind it. Undefined: it forwards the request. */
  readonly routed?: (request: PickyRequest) => number | undefined;
}

interface CursorLimit {
  /** It accepts only so many, the newest ones. */
  readonly count: number;
  readonly isSingleUse?: boolean;
}

interface Block {
  readonly after: number;
  readonly milliseconds: number;
  readonly busy: Busy;
}

interface RateLimit {
  readonly concerns: (request: PickyRequest) => boolean;
  readonly count: number;
  readonly milliseconds: number;
  readonly busy: Busy;
}

interface OneAtATime {
  readonly concerns: (request: PickyRequest) => boolean;
  readonly busy: Busy;
  /** Whether not even one is accepted. */
  readonly takesNone?: boolean;
}

export interface Busy {
  readonly status: number;
  readonly headers?: http.OutgoingHttpHeaders;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** How long a request that is sent alone takes at least. */
const ALONE_MS = 30;

/** All addresses of the target are those of the proxy. */
export async function pickyTarget(
  inner: TargetFile,
  refuses: Refuses,
  options: PickyOptions = {},
): Promise<PickyTarget> {
  const { refusesData = () => false, statusOfCreates = STATUS_OF_CREATES, oneAtATime, rateLimit, block } = options;
  const { unauthorized = 401, cursors, routed = () => undefined, threads = /^/ } = options;
  const keptCursors = cursors && keepCursors(cursors);
  const fronts: http.Server[] = [];
  let isBusy = oneAtATime?.takesNone === true;
  const isTooFast = rateLimit === undefined ? () => false : limitRate(rateLimit);
  const blocking = createBlock(block);
  const frontOf = async (inside: string): Promise<string> => {
    const server = http.createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const sent = await text(request);
      const body = parsed(sent);
      const [path = ''] = url.split('?', 1);
      const asked: PickyRequest = { method, path: decodeURIComponent(path), headers };
      const refuse = ({ status, headers: more }: Busy, error: string): void =>
        void response.writeHead(status, more).end(JSON.stringify({ error }));
      if (blocking.isOn()) return refuse(block!.busy, 'blocked');
      if (refusesThread(headers, threads)) return refuse({ status: 400 }, 'invalid thread');
      if (keptCursors?.refuses(new URL(url, inside)) === true) return refuse({ status: 400 }, 'unknown cursor');
      const found = routed(asked);
      if (found !== undefined) return refuse({ status: found, headers: JSON_TYPE }, 'not found');
      if (isTooFast(asked)) return refuse(rateLimit!.busy, 'rate exceeded');
      if (oneAtATime?.concerns(asked) === true) {
        if (isBusy) return refuse(oneAtATime.busy, 'busy');
        isBusy = true;
        response.once('close', () => (isBusy = false));
        await wait(ALONE_MS);
      }
      const isWrite = body !== undefined && (method === 'POST' || method === 'PUT') && path.includes('/v0/');
      const isRefused = isWrite && isResource(body) && refuses(body, asked);
      if (isRefused && options.refusal !== undefined) {
        const { status, message } = options.refusal;
        const again = status === 503 ? { 'retry-after': '0' } : {};
        response.writeHead(status, { 'content-type': 'application/json', ...again });
        return void response.end(JSON.stringify({ error: 'refused', code: status, message }));
      }
      const isDataRefused = body !== undefined && isOfData(asked) && refusesData(body, asked);
      const refused = isRefused ? broken(body, method) : isDataRefused ? brokenData(body) : undefined;
      const forwarded = refused === undefined ? sent : JSON.stringify(refused);
      const { 'transfer-encoding': _, ...kept } = headers;
      const length = forwarded === '' ? {} : { 'content-length': String(Buffer.byteLength(forwarded)) };
      const onward = http.request(new URL(url, inside), { method, headers: { ...kept, ...length } });
      onward.on('response', async (received) => {
        const isInvalid = isRefused && method === 'POST' && received.statusCode === 400;
        const { statusCode = 0 } = received;
        const own = isInvalid ? statusOfCreates : statusCode === 401 ? unauthorized : statusCode;
        if (statusCode === 401) blocking.noteWrong();
        response.writeHead(own, received.headers);
        if (keptCursors !== undefined && path.endsWith('/metrics')) {
          const whole = await text(received);
          keptCursors.note(whole);
          response.end(whole);
        } else received.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      onward.end(forwarded);
    });
    fronts.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  let json = JSON.stringify(inner);
  const origins = new Set(json.match(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g));
  for (const origin of origins) json = json.replaceAll(origin, await frontOf(origin));
  return {
    target: JSON.parse(json) as TargetFile,
    async [Symbol.asyncDispose]() {
      for (const server of fronts) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

const isOfData = ({ path }: PickyRequest): boolean => !path.includes('/v0/') && !path.endsWith('/mcp');

const refusesThread = (headers: http.IncomingHttpHeaders, threads: RegExp): boolean =>
  Object.entries(headers).some(([name, value]) => name.endsWith('thread-id') && !threads.test(String(value)));

function limitRate({ concerns, count, milliseconds }: RateLimit) {
  let acceptedAt: number[] = [];
  return (request: PickyRequest): boolean => {
    if (!concerns(request)) return false;
    const now = Date.now();
    acceptedAt = acceptedAt.filter((at) => now - at < milliseconds);
    if (acceptedAt.length >= count) return true;
    acceptedAt.push(now);
    return false;
  };
}

function createBlock(block: Block | undefined) {
  let [wrongCount, until] = [0, 0];
  return {
    isOn: (): boolean => Date.now() < until,
    noteWrong(): void {
      wrongCount += 1;
      if (block !== undefined && wrongCount % block.after === 0) until = Date.now() + block.milliseconds;
    },
  };
}

function keepCursors({ count, isSingleUse = false }: CursorLimit) {
  let kept: string[] = [];
  return {
    refuses({ searchParams }: URL): boolean {
      const cursor = searchParams.get('cursor');
      const isRefused = cursor !== null && !kept.includes(cursor);
      if (isSingleUse) kept = kept.filter((each) => each !== cursor);
      return isRefused;
    },
    /** Notes the cursor of a response. */
    note(body: string): void {
      const next = /"nextCursor":"([^"]+)"/.exec(body)?.[1];
      if (next === undefined) return;
      kept = [...kept.filter((each) => each !== next), next];
      kept.splice(0, kept.length - count);
    },
  };
}

const isResource = (body: object): body is Resource =>
  'metadata' in body && isFields(body.metadata) && 'spec' in body && isFields(body.spec);

/** What no server accepts. */
const broken = ({ metadata, spec }: Resource, method: string): object =>
  method === 'PUT' ? { metadata, spec: { ...spec, enabled: 'refused' } } : { metadata, spec: 5 };

const brokenData = (body: Fields): object => Object.fromEntries(Object.keys(body).map((name) => [name, 5]));

function parsed(body: string): Fields | undefined {
  try {
    const json: unknown = JSON.parse(body);
    return isFields(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
