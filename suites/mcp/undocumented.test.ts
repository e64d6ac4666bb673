/** What is observed must not depend on the other rules of a run, nor be read from an error. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { mcpSession } from '../kit/auth/mcp-session.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { openTestContext, openTestRun } from '../testing/test-run.ts';

const RULE = 'mcp.undocumented.session-and-capabilities';
const MODERN = '2026-07-28';

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
}

const result = (id: unknown, value: object, headers = {}): LocalResponse => ({
  headers,
  body: { jsonrpc: '2.0', id, result: value },
});
const error = (status: number, id: unknown, code: number): LocalResponse => ({
  status,
  body: { jsonrpc: '2.0', id: id ?? null, error: { code, message: 'no' } },
});

/** A legacy server that ends its session when another one starts. Another client starts one after `replaces` responds. */
function oneSession(replaces: (method: string) => boolean = () => false) {
  let newest = 0;
  return localServer(async ({ method, headers, body }) => {
    const { id, method: name } = JSON.parse(body === '' ? '{}' : body) as Sent;
    // So that requests of several rules overlap.
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (name === 'initialize') {
      const initialized = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
      return result(id, initialized, { 'mcp-session-id': `session-${(newest += 1)}` });
    }
    if (headers['mcp-session-id'] === undefined) return error(400, id, -32_000);
    if (headers['mcp-session-id'] !== `session-${newest}`) return error(404, id, -32_001);
    if (method === 'DELETE' || replaces(name ?? method)) newest += 1;
    if (method === 'DELETE') return {};
    if (method === 'GET') return { headers: { 'content-type': 'text/event-stream' }, body: ': open\n\n' };
    if (name === undefined) return error(400, null, -32_700);
    if (id === undefined) return { status: 202 };
    return name === 'ping' || name === 'tools/list' ? result(id, { tools: [] }) : error(200, id, -32_601);
  });
}

/** What the rule observes while these other rules run. */
async function observedNextTo(others: readonly RequirementId[], server: Awaited<ReturnType<typeof localServer>>) {
  const { address } = server;
  const { context, close } = openTestContext({
    address,
    target: { addresses: { management: `${address}/v0`, inference: address }, resources: { function: 'tools' } },
  });
  const cases = await collectCases([RULE, ...others]);
  const [own] = await Promise.all(([RULE, ...others] as const).map((id) => runCase(cases.get(id)!, context)));
  await close();
  return Object.fromEntries(own!.observations.map(({ what, value }) => [what.replace('function: ', ''), value]));
}

const others = ['mcp.functions.unknown-method', 'mcp.functions.version-header-checked'] as const;

test('a session is observed until its end, although another one would replace it', async () => {
  await using server = await oneSession();
  const alone = await observedNextTo([], server);
  expect(alone).toMatchObject({
    GET: { status: 200 },
    DELETE: { status: 200 },
    'ping after DELETE': { status: 404 },
  });
  expect(await observedNextTo(others, server)).toEqual(alone);
});

/** Once. */
function first(method: string): (sent: string) => boolean {
  let count = 0;
  return (sent) => sent === method && (count += 1) === 1;
}

test('a session that another client replaces is observed again', async () => {
  await using server = await oneSession(first('GET'));
  expect(await observedNextTo([], server)).toMatchObject({ DELETE: { status: 200 } });
});

test('a session for a rule about credentials starts again if another client replaces it', async () => {
  let newest = 0;
  await using server = await localServer(({ body }) => {
    const { id, method } = JSON.parse(body) as Sent;
    if (method === 'initialize')
      return result(id, { protocolVersion: '2025-06-18' }, { 'mcp-session-id': `session-${(newest += 1)}` });
    return { status: newest === 1 ? 404 : 202 };
  });
  const run = openTestRun({ address: server.address });
  const headers = await mcpSession(run, run.client, 'postFunctionMcp', { serverName: 'tools' });
  expect(headers).toMatchObject({ 'Mcp-Session-Id': 'session-2' });
});

test('a session that was refused is not initialized, even if it has an id', async () => {
  await using server = await localServer(({ body }) => ({
    ...error(200, (JSON.parse(body) as Sent).id, -32_603),
    headers: { 'mcp-session-id': 'session-1' },
  }));
  const run = openTestRun({ address: server.address });
  await mcpSession(run, run.client, 'postFunctionMcp', { serverName: 'tools' });
  expect(server.received).toHaveLength(1);
});

/** Accepts version 2026-07-28 only, without `server/discover`. */
const withoutDiscover = () =>
  localServer(({ headers, body }) => {
    const { id } = JSON.parse(body) as Sent;
    return headers['mcp-protocol-version'] === MODERN ? error(404, id, -32_601) : error(400, id, -32_000);
  });

test('nothing is known of a modern server that does not support server/discover but its era', async () => {
  await using server = await withoutDiscover();
  const observed = await observedNextTo([], server);
  expect(observed).toMatchObject({ era: 'modern' });
  expect(Object.keys(observed).filter((what) => !what.startsWith('version offered'))).toEqual(['era']);
});
