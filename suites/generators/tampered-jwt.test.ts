import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytePlace, readJwt, tamperings, withByteChanged } from './tampered-jwt.ts';

const KEY = 'the key';
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const macOf = (signed: string) => createHmac('sha256', KEY).update(signed).digest();

function issued(): string {
  const signed = `${part({ alg: 'HS256', kid: 'k' })}.${part({ sub: 'ada', exp: 2_000_000_000 })}`;
  return `${signed}.${macOf(signed).toString('base64url')}`;
}

/** As a verifier does that is right. */
function isGenuine(token: string): boolean {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  const isSigned = macOf(`${header}.${payload}`).equals(Buffer.from(signature, 'base64url'));
  return more.length === 0 && isSigned && readJwt(token)?.header['alg'] === 'HS256';
}

const jwt = readJwt(issued());
if (jwt === undefined) throw new Error('The token cannot be read.');

test('the issued token is valid', () => {
  expect(isGenuine(issued())).toBe(true);
});

test.each(Object.keys(tamperings))('%s makes it invalid', (name) => {
  expect(isGenuine(tamperings[name]?.(jwt) ?? '')).toBe(false);
});

test('changing any byte makes it invalid', () => {
  const accepted = fc.sample(bytePlace, 300).filter((place) => isGenuine(withByteChanged(jwt, place)));
  expect(accepted).toEqual([]);
});

test.each(['svc-key-1', 'a.b.c', 'a.b', '', `${part([])}.${part({})}.`, 'e30.e30.e30.e30'])(
  '%j is not a JWT',
  (token) => {
    expect(readJwt(token)).toBeUndefined();
  },
);
