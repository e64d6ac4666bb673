import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import type { LocalResponse } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { publishedKeys } from './published-keys.ts';

const key = { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid: 'k' };
const NOT_FOUND = { status: 404, body: {} };

/** Reads the keys of a server. `$` is its address in URLs and bodies. Returns them and which paths were requested. */
async function read(issuer: unknown, bodies: Readonly<Record<string, unknown>>) {
  await using server = await localServer(({ url }): LocalResponse | 'break' => {
    const body = bodies[url];
    if (body === 'break') return 'break';
    return body === undefined ? NOT_FOUND : { body: JSON.parse(JSON.stringify(body).replaceAll('$', server.address)) };
  });
  const run = openTestRun({ address: server.address });
  const own = typeof issuer === 'string' ? issuer.replace('$', server.address) : issuer;
  const keys = await publishedKeys(run, own);
  expect(await publishedKeys(run, own)).toBe(keys);
  return { keys, paths: server.received.map(({ url }) => url) };
}

const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

test('keys are read once, where the metadata of the issuer point', async () => {
  const bodies = { [AUTHORIZATION_SERVER]: { jwks_uri: '$/keys' }, '/keys': { keys: [key, 'no key'] } };
  expect(await read('$', bodies)).toEqual({ keys: [key], paths: [AUTHORIZATION_SERVER, '/keys'] });
});

test('the metadata of an issuer with a path are at two places', async () => {
  const bodies = { [`/tenant${OPENID}`]: { jwks_uri: '$/tenant/keys' }, '/tenant/keys': { keys: [key] } };
  const { keys, paths } = await read('$/tenant', bodies);
  expect(keys).toEqual([key]);
  expect(paths).toEqual([`${AUTHORIZATION_SERVER}/tenant`, `/tenant${OPENID}`, '/tenant/keys']);
});

test.each(['https://issuer.example.invalid', '$.example.invalid', '', undefined, 7])(
  'an issuer that is not an address of the target (%j) gets no request',
  async (issuer) => {
    const { keys, paths } = await read(issuer, { '/.well-known/jwks.json': { keys: [key] } });
    expect(keys).toEqual([key]);
    expect(paths).toEqual([AUTHORIZATION_SERVER, OPENID, '/.well-known/jwks.json']);
  },
);

test('keys at another host are not read', async () => {
  const { keys, paths } = await read('$', { [OPENID]: { jwks_uri: 'https://keys.example.invalid/keys' } });
  expect(keys).toEqual([]);
  expect(paths).toEqual([AUTHORIZATION_SERVER, OPENID]);
});

test.each([{ [AUTHORIZATION_SERVER]: 'break', [OPENID]: [] }, { '/.well-known/jwks.json': { keys: 'none' } }, {}])(
  'a target that publishes none has none (%j)',
  async (bodies) => {
    expect((await read('$', bodies)).keys).toEqual([]);
  },
);
