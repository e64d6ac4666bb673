import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLedger } from '../../target/read-ledger.ts';
import { localServer } from '../../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { Violation } from '../../target/violation.ts';
import { createOperations } from './creates.ts';
import { eachRefused } from './each-refused.ts';

const sentIn = ({ body }: ReceivedRequest) =>
  JSON.parse(body) as { metadata: { name?: unknown; displayName?: unknown } };
const isNameless = (received: ReceivedRequest): boolean =>
  received.method === 'POST' && typeof sentIn(received).metadata.name !== 'string';

/** For a target that accepts VPCs of any name, with this response to a create without a name. */
async function tryNames(respond: (received: ReceivedRequest) => LocalResponse) {
  const response = (received: ReceivedRequest): LocalResponse => {
    if (received.method === 'DELETE') return {};
    if (received.method === 'GET') return { status: 404 };
    return isNameless(received)
      ? respond(received)
      : { body: { ...sentIn(received), spec: {}, status: 'DEPLOYED', events: [] } };
  };
  await using server = await localServer(response);
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile });
  const trial = eachRefused(run, {
    candidates: createOperations(run),
    invalidPart: { value: fc.integer() },
    examples: [{ value: 7 }],
    request: ({ input }, name, { value }) => input({ name: value, displayName: name }),
  });
  const error = await trial.catch((thrown: unknown) => thrown);
  return { error, seen: server.received, creations: readLedger(ledgerFile).creations };
}

test('an accepted create without a name is recorded, and the input is not shrunk', async () => {
  const { error, seen: received, creations } = await tryNames(() => ({ body: {} }));
  expect(error).toBeInstanceOf(Violation);
  expect(received.filter(isNameless)).toHaveLength(1);
  expect(creations.filter(({ name }) => name === undefined)).toMatchObject([{ created: 'createVpc', status: 200 }]);
});

test('a resource that the response identifies as created by the run is removed at once', async () => {
  let nameCount = 0;
  const {
    error,
    seen: received,
    creations,
  } = await tryNames((each) => ({
    body: { metadata: { ...sentIn(each).metadata, name: `vpc-${(nameCount += 1)}` } },
  }));
  expect(error).toBeInstanceOf(Violation);
  expect(nameCount).toBeGreaterThan(1);
  expect(received.filter(({ url }) => /\/vpc-\d+$/.test(url))).toHaveLength(nameCount);
  expect(creations).toEqual([]);
});

test('a resource that may belong to someone else is not removed', async () => {
  const { seen: received, creations } = await tryNames(() => ({ body: { metadata: { name: 'default' } } }));
  expect(received.filter(isNameless)).toHaveLength(1);
  expect(received.filter(({ url }) => url.endsWith('/default'))).toEqual([]);
  expect(creations).toMatchObject([{ name: 'default', status: 200 }]);
});
