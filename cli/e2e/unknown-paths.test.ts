/** The request to an unknown path that tells a missing operation from an unknown name, and its limits. */
import { expect, test } from 'vitest';
import { localServer } from '../../suites/testing/local-server.ts';
import type { LocalResponse } from '../../suites/testing/local-server.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const RULE = 'inference.agents.answers';
const gone: LocalResponse = { status: 404, body: { error: 'not_found', code: 404 } };

/** Of a deployment without the agent of the target file. `unknown`: its response to a path that no operation has. */
async function resultWith(unknown: LocalResponse | 'break') {
  await using server = await localServer(({ url }) => (url.startsWith('/demo/assay-') ? unknown : gone));
  const target = {
    addresses: { management: `${server.address}/v0`, inference: server.address },
    credentials: { admin: { value: 'secret' } },
    workspace: 'demo',
    resources: { agent: 'first' },
  };
  const [outcome] = await runOnTarget(target, { selected: [RULE], isQuick: true, patienceSeconds: 1 });
  const isUnknown = ({ url }: { url: string }): boolean => url.startsWith('/demo/assay-');
  return { result: outcome!.result, unknown: server.received.filter(isUnknown) };
}

test('it is sent once for the operations with one method', async () => {
  const { result, unknown } = await resultWith(gone);
  const route = 'POST /{workspace}/agents/{agent}';
  expect(result).toMatchObject({ verdict: 'not-tried', missing: `operation:${route}` });
  expect(result.reason).toBe(
    `waits for ${route}, which is not implemented, or does not know first (404, as for an unknown path)`,
  );
  expect(unknown.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /demo/assay-try-none/first']);
});

test('without a response to it, the rule is judged by its own', async () => {
  const { result, unknown } = await resultWith('break');
  expect(unknown.length).toBeGreaterThan(0);
  expect(result).toMatchObject({ verdict: 'failed', reason: 'status 404, expected status 2xx' });
});

test('nothing is sent if the operation answers', async () => {
  await using server = await localServer(() => ({ status: 500, body: {} }));
  const addresses = { management: `${server.address}/v0`, inference: server.address };
  const target = {
    addresses,
    credentials: { admin: { value: 'secret' } },
    workspace: 'demo',
    resources: { agent: 'first' },
  };
  await runOnTarget(target, { selected: [RULE], isQuick: true, patienceSeconds: 1 });
  expect(server.received.length).toBeGreaterThan(0);
  expect(server.received.filter(({ url }) => url.includes('assay-try-none'))).toEqual([]);
});
