import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { ADMIN, openTestContext } from '../testing/test-run.ts';

const RULE = 'auth.headers.authorization-accepted-on-every-api';
const KEY = 'marked-api-key';

/** The verdict on a server that returns this status to the API key in inference, in these headers. */
async function verdictOn(status: number, refusing: readonly string[]) {
  await using server = await localServer(({ url, headers }) => {
    const carrier = ['authorization', 'x-svc-authorization'].find((name) => headers[name] !== undefined);
    const token = carrier && String(headers[carrier]).slice('Bearer '.length);
    if (token !== ADMIN && token !== KEY) return { status: 401, body: { error: 'unauthorized', code: 401 } };
    const isRefused = token === KEY && url.startsWith('/demo/') && refusing.includes(carrier!);
    return isRefused ? { status, body: { error: 'no role' } } : { body: {} };
  });
  const credential = (value: string, name: string) => ({ value, name });
  const target = {
    credentials: { admin: credential(ADMIN, 'SVC_ADMIN_TOKEN'), apiKey: credential(KEY, 'SVC_API_KEY'), scoped: {} },
  };
  const { context, close } = openTestContext({ address: server.address, target });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, context);
  await close();
  return result;
}

test('an API key may have no role in inference', async () => {
  const { verdict, reason } = await verdictOn(403, ['authorization', 'x-svc-authorization']);
  expect(verdict).toBe('passed');
  expect(reason).toContain('apiKey with a role that may use');
});

test.each([
  [403, ['authorization']],
  [401, ['authorization']],
  [401, ['authorization', 'x-svc-authorization']],
])('an API key that gets %i in %j fails', async (status, refusing) => {
  expect((await verdictOn(status, refusing)).verdict).toBe('failed');
});
