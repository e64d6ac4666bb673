import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import type { Target } from '../target/target.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'agents.update.round-trip';

interface Trigger {
  readonly type: string;
  readonly configuration?: { readonly path?: string; readonly retry?: number };
}

interface Refusal {
  readonly status: number;
  readonly message: string;
}

interface Update {
  readonly metadata: object;
  readonly spec: { readonly triggers?: readonly Trigger[] };
}

/** The outcome on a server of agents that refuses updates with such a trigger. */
async function outcomeOn(
  isRefused: (trigger: Trigger) => boolean,
  { status, message }: Refusal,
  samples: Target['samples'] = {},
) {
  let stored: Update = { metadata: {}, spec: {} };
  await using server = await localServer(({ method, url, headers, body }) => {
    if (!url.startsWith('/v0/agents')) return { status: 404, body: {} };
    if (headers['svc-version'] !== undefined) return { status: 400, body: {} };
    if (method === 'DELETE') return { body: {} };
    if (method !== 'GET') {
      const update = JSON.parse(body) as Update;
      if (update.spec.triggers?.some(isRefused) === true) return { status, body: { error: 'refused', message } };
      stored = update;
    }
    return { body: stored };
  });
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const { context, close } = openTestContext({
    address: server.address,
    allow: 'write',
    ledgerFile,
    target: { samples },
  });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, context);
  await close();
  return { verdict: result.verdict, reason: result.reason };
}

const isCron = ({ type }: Trigger): boolean => type === 'cron';
const unsupported = { status: 400, message: 'unsupported type of trigger' };
const samples = { schedule: '0 0 1 * *', tasks: [{ kind: 'report' }] };

test.each([
  ['an unsupported type', isCron, unsupported, {}],
  ['a server error', isCron, { status: 500, message: 'internal' }, {}],
  ['values of the target file', isCron, { status: 422, message: 'the schedule is invalid' }, samples],
  ['one type with a path', ({ type }: Trigger) => type === 'http-async', unsupported, {}],
  ['every trigger', () => true, unsupported, {}],
] as const)('a target that refuses a type fails: %s', async (_, isRefused, refusal, given) => {
  expect(await outcomeOn(isRefused, refusal, given)).toMatchObject({ verdict: 'failed' });
});

test.each([
  ['a quota', isCron, { status: 403, message: 'refused' }, 'cron'],
  ['a plan', isCron, { status: 400, message: 'not in your plan' }, 'cron'],
  ['tasks', isCron, { status: 400, message: 'configuration.tasks[0].kind is unknown' }, 'samples.tasks'],
  ['schedules', isCron, { status: 422, message: 'the schedule is not on the second of a month' }, 'samples.schedule'],
  ['authentication', ({ type }: Trigger) => type === 'http', { status: 400, message: 'authenticationType' }, 'http'],
  ['paths', ({ configuration }: Trigger) => configuration?.path !== undefined, unsupported, 'samples.triggerPath'],
  [
    'a retry',
    ({ type, configuration }: Trigger) => type === 'http-async' && configuration?.retry === undefined,
    unsupported,
    'http-async',
  ],
] as const)(
  'a refusal that may be about something undocumented shows nothing: %s',
  async (_, isRefused, refusal, missing) => {
    expect(await outcomeOn(isRefused, refusal)).toMatchObject({
      verdict: 'passed',
      reason: expect.stringContaining(missing),
    });
  },
);
