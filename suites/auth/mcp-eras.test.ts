/** Servers of both eras of MCP that require a credential in one of them only. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { ADMIN, openTestContext } from '../testing/test-run.ts';

const MODERN = '2026-07-28';
const EXPIRED = 'an-expired-token';
const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

const results: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
  'server/discover': { supportedVersions: [MODERN], capabilities: { tools: {} } },
  'tools/list': { tools: [] },
};

/** The verdict on a server of these eras, without sessions, and the number of messages of version 2026-07-28. */
async function verdictOn(id: RequirementId, supported: readonly Era[], open: Era | undefined) {
  await using server = await localServer(({ method, url, headers, body }): LocalResponse => {
    const era = headers['mcp-protocol-version'] === MODERN ? 'modern' : 'legacy';
    const isValid = headers.authorization === `Bearer ${ADMIN}`;
    const isMcp = url.includes('/functions/');
    if (!isValid && (era !== open || !isMcp)) return { status: 401, body: { error: 'unauthorized', code: 401 } };
    if (!isMcp) return { body: [] };
    if (method !== 'POST') return { status: 405 };
    const sent = JSON.parse(body) as { id?: unknown; method: string };
    if (sent.id === undefined) return { status: 202 };
    const message = { jsonrpc: '2.0', id: sent.id };
    const result = supported.includes(era) ? results[sent.method] : undefined;
    return result === undefined
      ? { status: 400, body: { ...message, error: { code: -32_601, message: 'no' } } }
      : { body: { ...message, result } };
  });
  const { address } = server;
  const { context, close } = openTestContext({
    address,
    target: {
      addresses: { management: `${address}/v0`, inference: address },
      credentials: { admin: { value: ADMIN, name: 'A' }, expired: { value: EXPIRED, name: 'E' }, scoped: {} },
      resources: { function: 'tools' },
    },
    patienceSeconds: 1,
  });
  const { result } = await runCase((await collectCases([id])).get(id)!, context);
  await close();
  const ofModern = server.received.filter(({ headers }) => headers['mcp-protocol-version'] === MODERN);
  return { verdict: result.verdict, modernCount: ofModern.length };
}

test.each(['auth.data-plane.credential-required', 'auth.credentials.expired-refused'] as const)(
  'a server must require a credential in each era that it supports: %s',
  async (id) => {
    for (const open of ERAS) expect(await verdictOn(id, ERAS, open)).toMatchObject({ verdict: 'failed' });
    expect(await verdictOn(id, ERAS, undefined)).toMatchObject({ verdict: 'passed' });
  },
);

test.each(['auth.data-plane.credential-required', 'auth.credentials.expired-refused'] as const)(
  'a server of one era gets only one message of the other one: %s',
  async (id) => {
    expect(await verdictOn(id, ['legacy'], undefined)).toEqual({ verdict: 'passed', modernCount: 1 });
    expect(await verdictOn(id, ['modern'], 'modern')).toMatchObject({ verdict: 'failed' });
  },
);
