import { expect, test } from 'vitest';
import { openTestRun } from '../testing/test-run.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { undo } from './undo.ts';

const about = { run: 'test', target: 'http://a/v0', pid: 1, host: 'h', startedAt: '2026-10-01T00:00:00Z' };
const before = { metadata: { name: 'shop', displayName: 'Shop', labels: {} }, spec: { enabled: true } };
const change = { number: 1, changed: 'updateAgent', path: { agentName: 'shop' }, body: before } as const;

/** Undoes the change some time after the run, with this response to a read of the agent. */
async function undoneLate(returned: LocalResponse | 'break') {
  await using server = await localServer(({ method }) => (method === 'GET' ? returned : {}));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const content = { about, creations: [], changes: [change], removals: new Set<never>() };
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const { left, done } = await undo(content, 'assay-test-', run.client, notes, { isLate: true });
  return {
    left: left.map(({ why }) => why),
    done: done.length,
    puts: server.received.filter((r) => r.method === 'PUT').length,
  };
}

const showing = (metadata: object, spec: object = { enabled: false }): LocalResponse => ({
  body: { metadata: { ...before.metadata, createdAt: '2026-09-01T00:00:00Z', ...metadata }, spec },
});

test.each([
  ['with the label of the run', showing({ labels: { 'assay-run': 'test' } })],
  ['by a target that does not return it', { status: 404 }],
  ['as something else', { body: ['shop'] }],
])('an agent that is returned %s is restored', async (_, returned) => {
  expect(await undoneLate(returned)).toEqual({ left: [], done: 1, puts: 1 });
});

test('an agent in its previous state is not updated', async () => {
  const { labels: _, ...metadata } = before.metadata;
  expect(await undoneLate(showing(before.metadata, before.spec))).toEqual({ left: [], done: 1, puts: 0 });
  expect(await undoneLate({ body: { metadata, spec: before.spec } })).toEqual({ left: [], done: 1, puts: 0 });
});

test.each([
  ['no label', {}],
  ['the label of another run', { labels: { 'assay-run': 'other' } }],
])('an agent with %s, changed by others, is not restored but reported', async (_, metadata) => {
  const { left, done, puts } = await undoneLate(showing(metadata));
  expect(left).toEqual([
    expect.stringContaining('others have changed it since the run: it does not have the label assay-run: test'),
  ]);
  expect([done, puts]).toEqual([0, 0]);
});

test('an agent is reported if the target does not respond', async () => {
  const { left, puts } = await undoneLate('break');
  expect([left.length, puts]).toEqual([1, 0]);
});
