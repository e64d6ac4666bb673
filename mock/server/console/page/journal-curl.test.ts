import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { EntryView } from '../../control/views.ts';
import { journalCurl } from './journal-curl.ts';

const entryOf = (more: Partial<EntryView>): EntryView => ({
  number: 1,
  time: '2026-04-16T09:00:00.000Z',
  method: 'GET',
  path: '/v0/agents',
  query: [],
  headers: {},
  body: null,
  operation: null,
  status: 200,
  answer: null,
  ...more,
});

const origin = { protocol: 'http:', host: '127.0.0.1:4010', prefix: '' };

test('a credential is a shell variable, and headers that curl sends itself are omitted', () => {
  const headers = { host: 'localhost:4010', authorization: '[redacted]', connection: 'close', accept: 'text/plain' };
  expect(journalCurl(entryOf({ headers }), origin)).toBe(
    `# set $ASSAY_… to the credentials\ncurl -sS -i http://localhost:4010/v0/agents -H 'authorization: Bearer '"$ASSAY_ADMIN_TOKEN" -H 'accept: text/plain'`,
  );
});

test.each([
  [undefined, 'http://127.0.0.1:4010/_mock/w/a/v0/agents'],
  ['sbx-a-b.local.localhost:4010', 'http://sbx-a-b.local.localhost:4010/_mock/w/a/v0/agents'],
  ['[::1]:4010', "'http://[::1]:4010/_mock/w/a/v0/agents'"],
  ['evil.example/$(id)', 'http://127.0.0.1:4010/_mock/w/a/v0/agents'],
])('the address of a request to the host %s in another world', (host, url) => {
  const line = journalCurl(entryOf({ headers: host === undefined ? {} : { host } }), {
    ...origin,
    prefix: '/_mock/w/a',
  });
  expect(line).toContain(` ${url}`);
});

test('a truncated body is omitted with a comment', () => {
  const line = journalCurl(entryOf({ method: 'PUT', body: { text: '{"a', cut: true } }), origin);
  expect(line).toBe(
    '# the body is omitted: the journal has only its beginning\ncurl -sS -i -X PUT http://127.0.0.1:4010/v0/agents',
  );
});

const HOSTILE = `'; touch /tmp/hacked; "$(id)" \`id\` $HOME \\ !! \n# x \u001b[2J \u202e`;

test.each(['dash', 'bash'])('%s passes hostile text to curl unchanged', (shell) => {
  const entry = entryOf({
    method: 'PUT',
    query: [['q', HOSTILE]],
    headers: { 'x-hostile': HOSTILE.replaceAll('\n', ' '), authorization: '[redacted]' },
    body: { text: HOSTILE, cut: false },
  });
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${journalCurl(entry, origin)}`;
  const output = execFileSync(shell, ['-c', script], { env: { ...process.env, ASSAY_ADMIN_TOKEN: 'token' } });
  const words = output.toString().split('\0');
  expect(words).toContain(HOSTILE);
  expect(words).toContain(`x-hostile: ${HOSTILE.replaceAll('\n', ' ')}`);
  expect(words).toContain('authorization: Bearer token');
  expect(words).toContain(`http://127.0.0.1:4010/v0/agents?${new URLSearchParams({ q: HOSTILE })}`);
});
