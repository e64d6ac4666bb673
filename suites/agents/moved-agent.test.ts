import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'agents.triggers.timeout-mk3-only';

interface Trigger {
  readonly type?: string;
  readonly configuration?: { readonly timeout?: number };
}

interface Agent {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly runtime?: { readonly generation?: string }; readonly triggers?: readonly Trigger[] };
}

interface Behaviour {
  /** The timeout of mk2 triggers, by the one that the agent had before. */
  readonly onMk2?: (before: number | undefined) => number | undefined;
  readonly refusesMoves?: boolean;
}

const generationOf = ({ spec }: Agent): string => spec.runtime?.generation ?? 'mk2';
const timeoutOf = ({ spec }: Agent): number | undefined =>
  spec.triggers?.find(({ configuration }) => configuration?.timeout !== undefined)?.configuration?.timeout;

/** The verdict on a server that refuses timeouts on mk2. */
async function verdictOn({ onMk2 = () => undefined, refusesMoves = false }: Behaviour) {
  const agents = new Map<string, Agent>();
  await using server = await localServer(({ method, url, body }) => {
    const [, agentName] = /^\/v0\/agents(?:\/([^/]+))?$/.exec(url) ?? [];
    if (!url.startsWith('/v0/agents')) return { status: 404, body: {} };
    const before = agents.get(agentName ?? '');
    if (method === 'GET') return before === undefined ? { status: 404, body: {} } : { body: before };
    if (method === 'DELETE') return { status: agents.delete(agentName ?? '') ? 200 : 404, body: {} };
    const sent = JSON.parse(body) as Agent;
    const isMk2 = generationOf(sent) === 'mk2';
    const isMoved = before !== undefined && generationOf(before) !== generationOf(sent);
    if ((isMk2 && timeoutOf(sent) !== undefined) || (isMoved && refusesMoves))
      return { status: 400, body: { error: 'invalid', code: 400, message: 'This is refused.' } };
    const timeout = isMk2 ? onMk2(before && timeoutOf(before)) : undefined;
    const triggers = (sent.spec.triggers ?? []).map((trigger, index) => ({
      id: `t-${index}`,
      ...trigger,
      ...(timeout !== undefined && { configuration: { ...trigger.configuration, timeout } }),
    }));
    const stored = { ...sent, spec: { ...sent.spec, triggers } };
    agents.set(sent.metadata.name, stored);
    return { body: stored };
  });
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const { context, close } = openTestContext({ address: server.address, allow: 'write', ledgerFile });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, context);
  await close();
  return result.verdict;
}

test.each<[string, Behaviour]>([
  ['remove the timeout of an agent that is moved to mk2', {}],
  ['refuse to move an agent to another generation', { refusesMoves: true }],
  ['set a timeout of its own on mk2', { onMk2: () => 300 }],
])('a server may %s', async (_, behaviour) => {
  expect(await verdictOn(behaviour)).toBe('passed');
});

test('an agent that is moved to mk2 does not keep its timeout', async () => {
  expect(await verdictOn({ onMk2: (before) => before })).toBe('failed');
});
