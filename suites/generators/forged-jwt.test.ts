import { createPublicKey, X509Certificate } from 'node:crypto';
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  EmbeddedJWK,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { JSONWebKeySet } from 'jose';
import { describe, expect, test } from 'vitest';
import { forgedToken, forgeries } from './forged-jwt.ts';
import type { Material, PublishedKey } from './forged-jwt.ts';
import { ownKeyFor } from './own-key.ts';
import { readJwt } from './tampered-jwt.ts';

const algorithms = ['RS256', 'PS384', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const names = Object.keys(forgeries);

const claims = { iss: 'https://issuer.test', aud: 'api', sub: 'ada', scope: 'admin' };

/** A token, and the key set that verifies it, which has another key too. */
async function issue(alg: string): Promise<Material & { readonly token: string }> {
  const [own, other] = await Promise.all([1, 2].map(() => generateKeyPair(alg, { extractable: true })));
  const keys = await Promise.all(
    [own, other].map(async (pair, index) => ({
      ...(await exportJWK(pair!.publicKey)),
      kid: `key-${index}`,
      // Any certificate: what counts is its text.
      x5c: [ownKeyFor(alg).certificate],
    })),
  );
  const header = { alg, typ: 'at+jwt', kid: 'key-0' };
  const token = await new SignJWT(claims).setProtectedHeader(header).setExpirationTime('1h').sign(own!.privateKey);
  return { token, jwt: readJwt(token)!, keys: keys as unknown as readonly PublishedKey[] };
}

const verifierOf = ({ keys }: Material) => createLocalJWKSet({ keys } as unknown as JSONWebKeySet);

describe.each(algorithms)('a token signed with %s', async (alg) => {
  const material = await issue(alg);
  const forged = (name: string): string => forgedToken(name, material) ?? '';

  test('is valid', async () => {
    await expect(jwtVerify(material.token, verifierOf(material))).resolves.toBeDefined();
  });

  test.each(names)('is refused: %s', async (name) => {
    const token = forgedToken(name, material);
    const isAccepted = await jwtVerify(token ?? '', verifierOf(material)).then(
      () => true,
      () => false,
    );
    const isMade = !name.includes('PKCS #1') || /^[RP]S/.test(alg);
    expect([token !== undefined, isAccepted]).toEqual([isMade, false]);
  });

  test('each forgery is different', () => {
    const tokens = names.flatMap((name) => forgedToken(name, material) ?? []);
    expect(new Set([material.token, ...tokens]).size).toBe(tokens.length + 1);
  });

  test('a verifier that trusts the header accepts the key in it or behind it', async () => {
    const key = (token: string) => decodeProtectedHeader(token) as { x5c: [string]; jku: string; x5u: string };
    await expect(jwtVerify(forged('signed with another key, in jwk'), EmbeddedJWK)).resolves.toBeDefined();
    const byCertificate = forged('signed with another key, in x5c');
    const { publicKey } = new X509Certificate(Buffer.from(key(byCertificate).x5c[0], 'base64'));
    await expect(jwtVerify(byCertificate, publicKey)).resolves.toBeDefined();
    const byKeySet = forged('signed with another key, behind jku');
    const keySet = (await (await fetch(key(byKeySet).jku)).json()) as JSONWebKeySet;
    await expect(jwtVerify(byKeySet, createLocalJWKSet(keySet))).resolves.toBeDefined();
    const byChain = forged('signed with another key, behind x5u');
    const chain = await (await fetch(key(byChain).x5u)).text();
    await expect(jwtVerify(byChain, new X509Certificate(chain).publicKey)).resolves.toBeDefined();
  });

  test('a verifier that uses the public key as a secret accepts it', async () => {
    const published = material.keys[0]!;
    const pem = createPublicKey({ key: published, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
    const secrets = { PEM: pem, 'PEM without its last line feed': pem.trim(), JWK: JSON.stringify(published) };
    for (const [form, secret] of Object.entries(secrets))
      await expect(
        jwtVerify(forged(`signed with HS256 and the public key as ${form}`), Buffer.from(secret)),
      ).resolves.toBeDefined();
  });

  test('its own certificate is valid', () => {
    const certificate = new X509Certificate(Buffer.from(ownKeyFor(alg).certificate, 'base64'));
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.validTo).toContain('2049');
  });
});

test('a token with a secret key is refused in every form', async () => {
  const secret = Buffer.alloc(64, 's');
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS512' }).setExpirationTime('1h').sign(secret);
  const forged = names.flatMap((name) => forgedToken(name, { jwt: readJwt(token)!, keys: [] }) ?? []);
  expect(forged.length).toBeGreaterThan(20);
  const outcomes = await Promise.allSettled(forged.map((each) => jwtVerify(each, secret)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([]);
});

test('without published keys, those that need one cannot be made', async () => {
  const { jwt } = await issue('ES256');
  const missing = names.filter((name) => forgedToken(name, { jwt, keys: [] }) === undefined);
  expect(missing).toEqual([
    ...names.filter((name) => /public key|published certificate/.test(name)),
    'the kid of another key',
  ]);
});

test('a form that the verifying key does not have is made from another published key, whose kid it names', async () => {
  const [own, rsa] = [await issue('EdDSA'), await issue('RS256')];
  const keys = [
    { ...own.keys[0]!, x5c: undefined },
    { ...rsa.keys[1]!, kid: 'rsa' },
  ];
  const header = (name: string) => decodeProtectedHeader(forgedToken(name, { jwt: own.jwt, keys })!);
  const forms = ['public key as PEM', 'public key as PKCS #1 PEM', 'published certificate as PEM'];
  const kids = forms.map((form) => header(`signed with HS256 and the ${form}`).kid);
  expect(kids).toEqual(['key-0', 'rsa', 'rsa']);
});

test.each([{ kty: 'AKP', alg: 'ML-DSA-0' }, { kty: 'oct', k: 'c2VjcmV0' }, {}])(
  'a published key of another type (%j) is not used as it is in PEM',
  async (key) => {
    const { jwt } = await issue('ES256');
    const keys = [{ ...key, kid: 'key-0' }];
    expect(forgedToken('signed with HS256 and the public key as PEM', { jwt, keys })).toBeUndefined();
  },
);

test('a token that proxies may refuse for its length is not made', async () => {
  const { jwt, keys } = await issue('ES256');
  const withPayload = (length: number) =>
    ({ jwt: { ...jwt, parts: [jwt.parts[0], 'A'.repeat(length), jwt.parts[2]] }, keys }) as const;
  const isMade = (name: string, length: number) => forgedToken(name, withPayload(length)) !== undefined;
  expect([5000, 5500].map((length) => isMade('signed with another key, in x5c', length))).toEqual([true, false]);
  expect([5500, 9000].map((length) => isMade('alg none, without a signature', length))).toEqual([true, true]);
});
