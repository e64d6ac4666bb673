import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { mockBanner } from './banner.ts';

test('on a loopback address, the command that gets the target needs no token', async () => {
  await using mock = await startMock({});
  const banner = mockBanner(mock, { hasControlToken: false });
  expect(banner).toContain(`curl -sS ${mock.addresses.host}/_mock/target | npx --no assay test`);
  expect(banner).not.toContain('--control-token');
  expect(banner).not.toContain('other machines');
});

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])(
  'on %s, it prints addresses that clients of this machine can use, and how to pass the token',
  async (host, usable) => {
    await using mock = await startMock({ host, controlToken: 'marked-token' });
    const banner = mockBanner(mock, { hasControlToken: true });
    const { port } = new URL(mock.addresses.host);
    const address = `http://${usable}:${port}`;
    expect(banner).not.toMatch(/\/\/(0\.0\.0\.0|\[::\])/);
    expect(banner).toContain(
      'From other machines, replace the loopback address by the name or address of this machine.',
    );
    expect(banner).toContain(
      `${address}/_mock/target -H "Authorization: Bearer $ASSAY_CONTROL_TOKEN" | npx --no assay test`,
    );
    expect(banner).not.toContain('marked-token');
    const headers = { authorization: 'Bearer marked-token' };
    expect((await fetch(`${address}/_mock/target`, { headers })).status).toBe(200);
  },
);
