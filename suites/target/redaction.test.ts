import { expect, test } from 'vitest';
import { createRedaction } from './redaction.ts';

const SECRET = 'tok+"en/==';

function redactionWith(secret: string) {
  const redaction = createRedaction();
  redaction.learn(secret, 'SVC_ADMIN_TOKEN');
  return redaction;
}

test('a secret is replaced in every spelling', () => {
  const redaction = redactionWith(SECRET);
  for (const spelling of [
    SECRET,
    encodeURIComponent(SECRET),
    JSON.stringify({ a: SECRET }),
    Buffer.from(SECRET).toString('base64'),
  ]) {
    expect(redaction.known(`x ${spelling} y`)).toContain('$SVC_ADMIN_TOKEN');
    expect(redaction.known(`x ${spelling} y`)).not.toContain(spelling);
  }
});

test('of two secrets that begin alike the longer one is replaced whole', () => {
  const redaction = redactionWith('abc');
  redaction.learn('abcdef', 'SVC_OTHER');
  expect(redaction.known('abcdef abc')).toBe('$SVC_OTHER $SVC_ADMIN_TOKEN');
});

test('an altered credential is replaced as well, an invented one stays readable', () => {
  const redaction = redactionWith('header-payload-signature');
  redaction.learnDerived('header-payload-signaturX');
  redaction.learnDerived('nonsense');
  expect(redaction.known('Bearer header-payload-signaturX')).toBe('Bearer $SVC_ALTERED_TOKEN');
  expect(redaction.known('Bearer nonsense')).toBe('Bearer nonsense');
});

test('a token in an answer is left out though nobody told of it', () => {
  expect(createRedaction().text('{"access_token": "fresh\\"er", "scope": "a"}')).toBe(
    '{"access_token": "(left out)", "scope": "a"}',
  );
});

test('a token at the end of a cut text is left out', () => {
  expect(createRedaction().text('{"access_token": "fre')).not.toContain('fre');
});

test('an authorization code in an address is left out', () => {
  expect(createRedaction().text('http://a/callback?code=c0de&state=s')).toBe(
    'http://a/callback?code=(left out)&state=s',
  );
});

test('strings at any depth are cleaned, keys included', () => {
  const redaction = redactionWith('marked');
  expect(redaction.deep({ marked: [{ a: 'is marked' }, 1, null], access_token: 'fresh' })).toEqual({
    $SVC_ADMIN_TOKEN: [{ a: 'is $SVC_ADMIN_TOKEN' }, 1, null],
    access_token: '(left out)',
  });
});
