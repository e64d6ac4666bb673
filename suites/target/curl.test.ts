import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlLine } from './curl.ts';
import type { SentRequest } from './exchange.ts';

const placeholders = new Set(['$SVC_ADMIN_TOKEN']);

/** The arguments that a shell passes to curl. */
function words(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const out = execFileSync('bash', ['-c', script], {
    env: { ...process.env, SVC_ADMIN_TOKEN: 'the token', HOME: '/h' },
    encoding: 'utf8',
  });
  return out.split('\0').slice(0, -1);
}

const request = (over: Partial<SentRequest>): SentRequest => ({
  method: 'GET',
  url: 'http://a/v0/x',
  headers: {},
  ...over,
});

test('a credential expands from its variable', () => {
  const line = curlLine(request({ headers: { Authorization: 'Bearer $SVC_ADMIN_TOKEN' } }), placeholders);
  expect(line).toContain('# credentials as $SVC_…');
  expect(words(line)).toContain('Authorization: Bearer the token');
});

test('other variables are not expanded', () => {
  const body = '{"a": "$HOME `id` $(id) \\ \' \\" !x"}';
  expect(words(curlLine(request({ method: 'POST', body }), placeholders))).toContain(body);
});

test.each(['a\nb\tc', '\u0007', 'é ü 漢 \u202e', "'", '', '\u001b[31m'])('the body %j arrives unchanged', (body) => {
  const line = curlLine(request({ method: 'PUT', body }), placeholders);
  expect(words(line).at(-1)).toBe(body);
  // eslint-disable-next-line no-control-regex
  expect(line).not.toMatch(/[\u0000-\u001f\u202e]/);
});

test.each([
  ['a NUL', { body: 'a\0b' }, 'a\0b'],
  ['bytes that are not text', { body: 'a\u00ff', bytes: true as const }, 'a\u00ff'],
])('%s is sent through a pipe', (_, over, expected) => {
  const line = curlLine(request({ method: 'POST', ...over }), placeholders);
  const piped = execFileSync('bash', ['-c', `curl() { cat; }; ${line}`], { encoding: 'latin1' });
  expect(piped).toBe(expected);
});

test('dots in a path and brackets in a query reach the target', () => {
  expect(words(curlLine(request({ url: 'http://a/v0/x/../y?q=[1]' }), placeholders))).toEqual(
    expect.arrayContaining(['-g', '--path-as-is', 'http://a/v0/x/../y?q=[1]']),
  );
});

test('a body without a media type is sent without one', () => {
  expect(words(curlLine(request({ method: 'POST', body: '{}' }), placeholders))).toContain('Content-Type:');
});

test('a repeated header is sent repeatedly', () => {
  const line = curlLine(request({ headers: { 'Svc-Version': ['a', 'b'] } }), placeholders);
  expect(words(line).filter((word) => word.startsWith('Svc-Version'))).toEqual(['Svc-Version: a', 'Svc-Version: b']);
});

test.each([
  [{}, undefined, undefined],
  [{ body: '{}' }, undefined, 'curl sends none with HEAD'],
  [{}, 'it is not UTF-8', 'it is not UTF-8'],
])('HEAD with %j requests only the head', (over, without, why) => {
  const line = curlLine(request({ method: 'HEAD', ...over }), placeholders, without);
  expect(words(line)).toEqual(['-sS', '-i', '--head', 'http://a/v0/x']);
  expect(line.split('  # ')[1]).toBe(why && `the body is omitted: ${why}`);
});

test('an omitted body is mentioned in a comment and not sent', () => {
  const line = curlLine(request({ method: 'PUT' }), placeholders, 'it is longer than 9 bytes');
  expect(words(line)).toEqual(['-sS', '-i', '-X', 'PUT', 'http://a/v0/x']);
  expect(line).toMatch(/ {2}# the body is omitted: it is longer than 9 bytes$/);
});
