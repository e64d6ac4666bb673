/** Servers that find the request of a response in other ways, and what is not their fault. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { discover } from '../kit/mcp/eras.ts';
import { inSession, modernSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { HarnessError } from '../target/transport.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { openTestRun, testExchange } from '../testing/test-run.ts';
import { legacyOverlapMismatches, modernOverlapMismatches, overlapMismatches } from './overlapping-calls.ts';
import { callsOf, callTool } from './tool-calls.ts';

const endpoint = functionEndpoint('tools');
const [call] = callsOf({ name: 'read', inputSchema: { type: 'object' }, onlyReads: true, needsTask: false });

const results: Readonly<Record<string, object>> = {
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
  },
  'tools/list': { tools: [], ttlMs: 0, cacheScope: 'private' },
  'tools/call': { content: [{ type: 'text', text: 'x' }] },
};

interface Sent {
  readonly id: unknown;
  readonly method: string;
}

const ownResponse = ({ id, method }: Sent): LocalResponse => ({
  body: { jsonrpc: '2.0', id, result: { resultType: 'complete', ...results[method] } },
});
const refusal = ({ id }: Sent): LocalResponse => ({
  body: { jsonrpc: '2.0', id, error: { code: -32_600, message: 'This id is in use.' } },
});
const lost: LocalResponse = { headers: { 'content-type': 'text/event-stream' }, body: ': lost\n\n' };
const otherId: LocalResponse = { body: { jsonrpc: '2.0', id: 7, result: {} } };

/** How a server responds to a request, after so many milliseconds of work. */
type Serve = (sent: Sent, work: () => Promise<unknown>) => Promise<LocalResponse>;

const separately: Serve = async (sent, work) => {
  await work();
  return ownResponse(sent);
};

/** Who asks for what is already being done waits for that. */
function oncePerId(keyOf: (sent: Sent) => unknown): Serve {
  const running = new Map<unknown, Promise<LocalResponse>>();
  return (sent, work) => {
    const key = keyOf(sent);
    const known = running.get(key);
    if (known !== undefined) return known;
    const response = separately(sent, work).finally(() => running.delete(key));
    running.set(key, response);
    return response;
  };
}

/** A response goes to the last request of its id; one that is replaced gets `instead`. */
function toTheLatest(instead: LocalResponse): Serve {
  const waiting = new Map<unknown, (response: LocalResponse) => void>();
  return (sent, work) =>
    new Promise((resolve) => {
      waiting.get(sent.id)?.(instead);
      waiting.set(sent.id, resolve);
      void work().then(() => waiting.get(sent.id)?.(ownResponse(sent)));
    });
}

/** Refuses an id that is in use: it cannot know that there are several clients. */
function refusingUsed(refused: (sent: Sent) => LocalResponse): Serve {
  const used = new Set<unknown>();
  return async (sent, work) => {
    if (used.has(sent.id)) return refused(sent);
    used.add(sent.id);
    await work();
    used.delete(sent.id);
    return ownResponse(sent);
  };
}

/** Also returns how many requests there were after the first call. */
async function overlap(serve: Serve, msOf: Readonly<Record<string, number>>): Promise<[Mismatch[], number]> {
  await using server = await localServer(({ body }) => {
    const sent = JSON.parse(body) as Sent;
    return serve(sent, () => wait(msOf[sent.method] ?? 1));
  });
  const run: Run = openTestRun({ address: server.address });
  const session = modernSession(run, endpoint, { discovered: await discover(run, endpoint) });
  const response = await callTool(session, call!);
  const before = server.received.length;
  return [await overlapMismatches(run, endpoint, session, { call: call!, response }), server.received.length - before];
}

const slowTool = { 'tools/call': 300 };
const alwaysSlow = { 'tools/call': 60, 'tools/list': 60, 'server/discover': 60 };

test.each([
  ['separately, after a slow call', separately, slowTool, 6],
  ['separately, at once', separately, {}, 6],
  ['once per id and client', oncePerId((sent) => sent), slowTool, 6],
  ['or refuses used ids', refusingUsed(refusal), slowTool, 6],
  ['or refuses used ids with 409', refusingUsed(() => ({ status: 409 })), slowTool, 6],
])('a server responds to each request %s', async (_, serve, msOf, count) => {
  expect(await overlap(serve, msOf)).toEqual([[], count]);
});

test.each([
  ['of one id once, after a slow call', oncePerId(({ id }) => id), slowTool],
  ['of one id once, all as fast', oncePerId(({ id }) => id), alwaysSlow],
  ['at the latest of its id', toTheLatest(lost), slowTool, /^none$/],
  [
    'at the latest of its id, with a response of another id',
    toTheLatest(otherId),
    slowTool,
    /^a response with the id 7$/,
  ],
])('a server must not respond to requests %s', async (_, serve, msOf, actual = /^that of/) => {
  const [mismatches] = await overlap(serve, msOf);
  expect(mismatches).not.toEqual([]);
  expect(mismatches.map((each) => each.actual)).toContainEqual(expect.stringMatching(actual));
  expect(new Set(mismatches.map(({ source }) => source))).toEqual(new Set([mcpSources.sameId]));
});

/** A client whose requests get no response in time if `isSilent`. `ids` are those in use. */
function clientOf(isSilent: (method: string, ids: readonly unknown[]) => boolean, ids: unknown[]): Session {
  const request: Session['request'] = async (method, _, id) => {
    ids.push(id);
    await wait(20);
    const hasNone = isSilent(method, ids);
    await wait(20);
    ids.splice(ids.indexOf(id), 1);
    if (hasNone) throw new HarnessError('no complete response in time');
    return { exchange: testExchange, message: { jsonrpc: '2.0', id, result: results[method] } };
  };
  return { isModern: true, request } as unknown as Session;
}

const isShared = (ids: readonly unknown[]): boolean => new Set(ids).size < ids.length;

test.each([
  [
    'a call, if others use its id',
    (method: string, ids: readonly unknown[]) => method === 'tools/call' && isShared(ids),
    1,
  ],
  [
    'a list, if others use its id',
    (method: string, ids: readonly unknown[]) => method === 'tools/list' && isShared(ids),
    1,
  ],
  ['a call, whatever the ids', (method: string) => method === 'tools/call', 0],
  ['one call', once(), 0],
])('no response in time to %s', async (_, isSilent, count) => {
  const ids: unknown[] = [];
  const [session, ...others] = [1, 2, 3].map(() => clientOf(isSilent, ids));
  const repeated = { call: call!, response: { exchange: { ...testExchange, durationMs: 1 } } };
  const found = await modernOverlapMismatches(
    openTestRun({ address: 'http://127.0.0.1:1' }),
    session!,
    others,
    repeated,
  );
  expect(found.map(({ source }) => source)).toEqual(Array.from({ length: count }, () => mcpSources.reply));
});

const inUse = { code: -32_600, message: 'This id is in use.' };

/** A legacy client whose pings are not served during a call: they get no response in time, or the error. */
function pinging(ids: unknown[], isServed: () => boolean, sessionId: string | undefined, error?: object): Session {
  const request: Session['request'] = async (method, _, id) => {
    ids.push(id);
    await wait(20);
    const served = method !== 'ping' || isServed();
    await wait(20);
    ids.splice(ids.indexOf(id), 1);
    if (!served && error === undefined) throw new HarnessError('no complete response in time');
    return {
      exchange: testExchange,
      message: { jsonrpc: '2.0', id, ...(served ? { result: results[method] ?? {} } : { error }) },
    };
  };
  return { isModern: false, request, sessionId } as unknown as Session;
}

test.each([
  ['no response in time, if it has the id of the call', isShared, undefined, 's', mcpSources.reply],
  [
    'no response in time, if it has the id of the call, without sessions',
    isShared,
    undefined,
    undefined,
    mcpSources.reply,
  ],
  ['an error, if it has the id of the call', isShared, inUse, 's', mcpSources.sameId],
  ['an error, if it has the id of the call, without sessions', isShared, inUse, undefined, undefined],
  ['no response in time, whatever its id', () => true, undefined, 's', undefined],
  ['an error, whatever its id', () => true, inUse, 's', undefined],
])('a ping of another legacy client gets %s', async (_, isUnserved, error, sessionId, source) => {
  const ids: unknown[] = [];
  const [session, other] = [1, 2].map(() => pinging(ids, () => !isUnserved(ids), sessionId, error));
  const repeated = { call: call!, response: { exchange: { ...testExchange, durationMs: 1 } } };
  const run = openTestRun({ address: 'http://127.0.0.1:1' });
  const found = await legacyOverlapMismatches(run, session!, other!, repeated);
  expect(found.map((each) => each.source)).toEqual(source === undefined ? [] : [source]);
});

test.each([
  ['lasts', false, 1],
  ['ends while its call is being served', true, 0],
])('a lost response counts if the session of a client %s', async (_, isEnded, count) => {
  const ids: unknown[] = [];
  const client = (name: string): Session => {
    let [losses, renewals] = [0, 0];
    const request: Session['request'] = async (method, __, id) => {
      if (isEnded) renewals = losses; // The server ends the session with its response; the next request renews it.
      ids.push(id);
      await wait(10);
      const isLost = method === 'tools/call' && isShared(ids);
      ids.splice(ids.indexOf(id), 1);
      if (isLost) losses += 1;
      return isLost
        ? { exchange: testExchange }
        : { exchange: testExchange, message: { jsonrpc: '2.0', id, result: results[method] ?? {} } };
    };
    const session = {
      isModern: false,
      request,
      get sessionId() {
        return `${name}-${renewals}`;
      },
    };
    return session as unknown as Session;
  };
  const repeated = { call: call!, response: { exchange: { ...testExchange, durationMs: 1 } } };
  const run = openTestRun({ address: 'http://127.0.0.1:1' });
  const found = await legacyOverlapMismatches(run, client('a'), client('b'), repeated);
  expect(found.map(({ actual }) => actual)).toEqual(Array.from({ length: count }, () => 'none'));
});

/** A legacy server that refuses an id that is in use, also by another session, and the number of mismatches. */
test.each([
  ['without sessions', undefined, 0],
  ['with sessions', 'session', 1],
])('a legacy server %s refuses used ids', async (_, name, count) => {
  const serve = refusingUsed(refusal);
  let [sessions, calls, arrive] = [0, 0, () => {}];
  /** All calls but the first last until the ping arrives, however slow the machine is. */
  const callWork = () =>
    (calls += 1) === 1 ? wait(300) : Promise.race([new Promise<void>((resolve) => (arrive = resolve)), wait(10_000)]);
  await using server = await localServer(async ({ body, method }) => {
    if (method === 'DELETE') return { status: 200 };
    const sent = JSON.parse(body) as Sent;
    if (sent.id === undefined) return { status: 202 };
    if (sent.method !== 'initialize') {
      const response = serve(sent, () => (sent.method === 'tools/call' ? callWork() : wait(1)));
      if (sent.method === 'ping') arrive();
      return response;
    }
    const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
    const headers = name === undefined ? {} : { 'mcp-session-id': `${name}-${(sessions += 1)}` };
    return { headers, body: { jsonrpc: '2.0', id: sent.id, result: initialized } };
  });
  const run: Run = openTestRun({ address: server.address });
  const found = await inSession(run, endpoint, async (session) => {
    const response = await callTool(session, call!);
    return overlapMismatches(run, endpoint, session, { call: call!, response });
  });
  expect(found.map(({ source }) => source)).toEqual(Array.from({ length: count }, () => mcpSources.sameId));
});

test('what arrives instead of a response is in the verdict', async () => {
  const error = { code: -32_600, message: 'This id is in use.' };
  const response = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
    json: undefined,
  };
  const ids: unknown[] = [];
  const request: Session['request'] = async (method, _, id) => {
    ids.push(id);
    await wait(10);
    const isSilent = method === 'tools/call' && isShared(ids);
    ids.splice(ids.indexOf(id), 1);
    if (isSilent) return { exchange: { ...testExchange, response, durationMs: 60_000 } };
    return { exchange: testExchange, message: { jsonrpc: '2.0', id, result: results[method] } };
  };
  const [session, ...others] = [1, 2, 3].map(() => ({ isModern: true, request }) as unknown as Session);
  const repeated = { call: call!, response: { exchange: { ...testExchange, durationMs: 1 } } };
  const run = openTestRun({ address: 'http://127.0.0.1:1' });
  expect(await modernOverlapMismatches(run, session!, others, repeated)).toMatchObject([
    { actual: `none, twice; the second time error ${JSON.stringify(error)} without an id` },
  ]);
});

function once(): (method: string) => boolean {
  let count = 0;
  return (method) => method === 'tools/call' && (count += 1) === 1;
}
