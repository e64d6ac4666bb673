import { expect, test } from 'vitest';
import { proxyBanner } from './banner.ts';

const bannerOf = (own: string): string =>
  proxyBanner({ management: 'https://api.example/v0' }, { management: `${own}/v0` }, 590);

test.each(['http://127.0.0.1:4020', 'http://[::1]:4020', 'http://localhost:4020'])('%s needs no warning', (own) => {
  expect(bannerOf(own)).toContain(`${own}/v0  for  https://api.example/v0\n`);
  expect(bannerOf(own)).not.toContain('loopback');
});

test.each(['http://0.0.0.0:4020', 'http://[::]:4020', 'http://192.168.0.7:4020'])('%s is warned of', (own) => {
  expect(bannerOf(own)).toMatch(
    /is not a loopback address: anyone who can reach the proxy can send requests to the target/,
  );
});
