import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { curlLine } from './curl.ts';
import type { RepeatedRequest } from './curl.ts';

const placeholders = new Set(['$SVC_ADMIN_TOKEN']);

/** Without zsh or busybox (Debian packages), their tests are skipped and say so. */
const shells = { bash: ['bash'], dash: ['dash'], zsh: ['zsh', '-f'], busybox: ['busybox', 'sh'] } as const;
type Shell = keyof typeof shells;
const installed = (Object.keys(shells) as Shell[]).filter((name) => spawnSync(name, ['-c', ':']).error === undefined);
const all = Object.keys(shells) as Shell[];

const env = { ...process.env, SVC_ADMIN_TOKEN: 'the token', HOME: '/h' };

/** The arguments that a shell passes to curl. */
function words(line: string, shell: Shell = 'bash'): string[] {
  const [command, ...options] = shells[shell];
  // A function with this name: `printf` would be a word of the test as well.
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${line}`;
  const out = execFileSync(command, [...options, '-c', script], { env, encoding: 'utf8' });
  return out.split('\0').slice(0, -1);
}

/** What a shell passes to curl as its input. */
function piped(line: string, shell: Shell = 'bash'): Buffer {
  const [command, ...options] = shells[shell];
  return execFileSync(command, [...options, '-c', `curl() { cat; }\n${line}`], { env });
}

const request = (over: Partial<RepeatedRequest>): RepeatedRequest => ({
  method: 'GET',
  url: 'http://a/v0/x',
  headers: {},
  ...over,
});

test('a credential expands from its variable', () => {
  const line = curlLine(request({ headers: { Authorization: 'Bearer $SVC_ADMIN_TOKEN' } }), placeholders);
  expect(line).toContain('# set $SVC_… to the credentials');
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
  ['a line end at its end', { body: 'a\n' }, 'a\n'],
  ['a line end before a credential', { body: 'a\n$SVC_ADMIN_TOKEN%' }, 'a\nthe token%'],
])('a body with %s is sent through a pipe', (_, over, expected) => {
  const line = curlLine(request({ method: 'POST', ...over }), placeholders);
  expect(piped(line).toString('latin1')).toBe(expected);
});

/** Values that a target or a generator may choose. In no shell may they run a command, expand, or hide from a reader. */
const hostile = [
  "'; echo injected; '",
  '$(echo injected)',
  '`echo injected`',
  "$'\\047; echo injected; \\047'",
  '${HOME}',
  '$SVC_ADMIN_TOKEN $HOME',
  '"; echo injected; "',
  '\u001b[201~\u0003echo injected\r',
  '\u009b31m\u202e\u2028x',
  '!! !$ !echo',
  '-o/tmp/injected',
  '--config',
  '# injected',
  '~root *.ts {a,b} [a-z] ?',
  '%s%n\\033\\x41\\c',
  '\\',
  '&& echo injected | cat > x; (y) <z',
  '=ls ^a^b @x',
  'é 漢 🙂 \u00a0',
  "it's \u0007 'quoted' \\'",
];

describe.each(all)('in %s', (shell) => {
  test.skipIf(!installed.includes(shell)).each(hostile)('the value %j arrives unchanged', (value) => {
    const expected = value.replaceAll('$SVC_ADMIN_TOKEN', 'the token');
    const sent = request({ method: 'PUT', url: `http://a/${value}`, headers: { 'X-A': value }, body: value });
    const line = curlLine(sent, placeholders);
    const found = words(line, shell);
    expect(found).toContain(`X-A: ${expected}`);
    expect(found).toContain(`http://a/${expected}`);
    expect(found.at(-1)).toBe(expected);
    expect(line.split('\n').join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    const bytes = curlLine(request({ method: 'POST', body: `${value}\n` }), placeholders);
    expect(piped(bytes, shell).toString()).toBe(`${expected}\n`);
  });
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
  expect(line.split('\n')[0]).toBe(why === undefined ? line : `# the body is omitted: ${why}`);
});

test('an omitted body is mentioned in a comment and not sent', () => {
  const line = curlLine(request({ method: 'PUT' }), placeholders, 'it is longer than 9 bytes');
  expect(words(line)).toEqual(['-sS', '-i', '-X', 'PUT', 'http://a/v0/x']);
  expect(line).toMatch(/^# the body is omitted: it is longer than 9 bytes\n/);
});
