import { expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { localServer } from '../testing/local-server.ts';
import { testTarget } from '../testing/test-run.ts';
import { describeTarget } from './open-target.ts';
import { createTransport } from './transport.ts';
import { isAddressWrong } from './wrong-address.ts';

async function isWrongAt(respond: (request: ReceivedRequest) => LocalResponse): Promise<boolean> {
  await using server = await localServer(respond);
  const transport = createTransport({ rate: 0 });
  try {
    return await isAddressWrong(testTarget({ address: server.address }), transport);
  } finally {
    await transport.close();
  }
}

test('an address is wrong if every operation responds like an unknown path', async () => {
  expect(await isWrongAt(() => ({ status: 404 }))).toBe(true);
  expect(await isWrongAt(({ headers }) => ({ status: headers.authorization === undefined ? 401 : 404 }))).toBe(true);
});

test.each<[string, (request: ReceivedRequest) => LocalResponse]>([
  ['one operation responds', ({ url }) => ({ status: url.endsWith('/functions') ? 403 : 404 })],
  [
    'resources are hidden from the credential, but operations refuse callers without one',
    ({ headers, url }) => ({ status: headers.authorization === undefined && !url.includes('unknown') ? 401 : 404 }),
  ],
  ['the credentials are refused', () => ({ status: 401 })],
  ['the deployment fails', () => ({ status: 503 })],
])('an address is not wrong if %s', async (_, respond) => {
  expect(await isWrongAt(respond)).toBe(false);
});

test.each(['strict', 'lenient'] as const)(
  'the address of the %s server is not wrong, its origin is',
  async (character) => {
    await using stranger = await startStranger({ character });
    const target = await describeTarget(stranger.target, {});
    const transport = createTransport({ rate: 0 });
    const management = new URL(target.addresses.management ?? '').origin;
    expect(await isAddressWrong(target, transport)).toBe(false);
    const wrong = { ...target, addresses: { ...target.addresses, management } };
    expect(await isAddressWrong(wrong, transport)).toBe(true);
    await transport.close();
  },
);
