/** A rule that only what another rule sent shows to be broken: `assay replay` and `--failed` send that again. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Trigger } from '../../spec/generated/types.ts';
import type { Report } from '../../spec/verdicts.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { newFolder, onlyThese, run } from './testing/assay-process.ts';

interface Agent {
  readonly metadata: object;
  readonly spec: { readonly triggers?: readonly Trigger[] };
}

/** Generates ids of triggers, and loses the path of those whose id it has to disambiguate. */
function withIds(triggers: readonly Trigger[] = []): Trigger[] {
  const used = new Set<string>();
  return triggers.map((trigger, nth) => {
    const wanted = trigger.id ?? `trigger-${nth}`;
    const isUsed = used.has(wanted);
    const id = isUsed ? `${wanted}-${nth}` : wanted;
    used.add(id);
    return { ...trigger, id, ...(isUsed && { configuration: { path: '/lost' } }) };
  });
}

test('the rule that sent it is tried again, too', async () => {
  let agent: Agent = { metadata: { name: 'first' }, spec: {} };
  await using server = await localServer(({ method, url, body }) => {
    if (url === '/v0/accounts') return { body: [{ id: 'acc-1' }] };
    if (!url.startsWith('/v0/agents/first')) return { status: 404, body: { error: 'not_found', code: 404 } };
    if (method === 'PUT') agent = JSON.parse(body) as Agent;
    const { metadata, spec } = agent;
    return { body: { metadata, spec: { ...spec, triggers: withIds(spec.triggers) }, status: 'DEPLOYED' } };
  });
  const folder = newFolder();
  const file = path.join(folder, 'target.json');
  const target = {
    addresses: { management: `${server.address}/v0` },
    credentials: { admin: { value: 'secret' } },
    resources: { agent: 'first' },
    allow: 'destroy',
  };
  writeFileSync(file, JSON.stringify(target));
  const [RULE, SENDER] = ['agents.update.round-trip', 'agents.triggers.ids-distinct'] as const;
  const report = path.join(folder, 'report');
  const words = ['--target', file, '--report', report, '--seed', '1', '--quick', '--patience', '3'];
  await run(['test', ...words, ...onlyThese(RULE, SENDER)]);
  const { requirements } = JSON.parse(readFileSync(path.join(report, 'report.json'), 'utf8')) as Report;
  const [broken, sender] = [RULE, SENDER].map((rule) => requirements.find(({ id }) => id === rule));
  expect(sender?.verdict).toBe('passed');
  expect(broken?.counterexample).toMatchObject({
    input: { requirement: SENDER },
    actual: expect.stringContaining('/lost'),
  });
  const replayed = await run(['replay', report, RULE, '--target', file]);
  expect(replayed.out).toContain(`failed ${RULE}`);
  expect(replayed.code).toBe(1);
});
