import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations, type Operation } from '../spec/operations.ts';
import { startMock, type RunningMock } from './start-mock.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ seed: 8, sandboxUrls: 'path' });
});
afterAll(() => mock.close());

const names: Readonly<Record<string, string>> = {
  agentName: 'demo-agent',
  agent: 'demo-agent',
  model: 'demo-model',
  serverName: 'demo-tools',
  jobName: 'demo-job',
  workspace: 'demo',
  sandboxName: 'demo-box',
  accountId: 'acc-demo',
  integrationName: 'github',
  path: 'app',
};

function urlOf({ surface, path }: Operation): string {
  const { management, host, inference, sandbox } = mock.target.addresses;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'nothing');
  return { management, host, inference, sandbox }[surface] + filled;
}

async function ask(operation: Operation, body: string, type = 'application/json'): Promise<Response> {
  const answer = await fetch(urlOf(operation), {
    method: operation.method,
    headers: { authorization: `Bearer ${mock.target.credentials.apiKey.value}`, 'content-type': type },
    body: operation.method === 'GET' ? null : body,
    redirect: 'manual',
  });
  // Some answers are streams that do not end: what tells is in the head.
  if (answer.status < 400) await answer.body?.cancel();
  return answer;
}

describe('every operation of the documents', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))('%s is served', async (_, operation) => {
    const answer = await ask(operation, '{}');
    expect(answer.status).not.toBe(405);
    const words = answer.status < 400 ? '' : await answer.text();
    expect(words).not.toContain('Nothing is served at');
  });

  test('takes no garbage for a fault of its own', async () => {
    const writing = operations.filter(({ method }) => method !== 'GET');
    const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''];
    const bodies = fc.oneof(fc.json(), fc.string(), fc.json({ maxDepth: 8 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...writing),
        bodies,
        fc.constantFrom(...types),
        async (operation, body, type) => {
          const { status } = await ask(operation, body, type);
          // A workload that does not serve just then says 503.
          expect(status < 500 || status === 503).toBe(true);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
