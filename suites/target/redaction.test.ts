import { expect, test } from 'vitest';
import { createRedaction, MIN_QUOTED_LENGTH } from './redaction.ts';

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

test('a secret is replaced in a form', () => {
  const secret = "a ~!'()*-._é";
  const body = new URLSearchParams({ client_id: 'me', client_secret: secret }).toString();
  expect(body).toContain('a+%7E%21%27%28%29*-._%C3%A9');
  expect(redactionWith(secret).known(body)).toBe('client_id=me&client_secret=$SVC_ADMIN_TOKEN');
});

test('the beginning of a secret in a truncated text is replaced, encoded or not', () => {
  const redaction = redactionWith('svc-key-5e2d177214e498f0');
  expect(redaction.text('status "svc-key-5e2d1772')).toBe('status "$SVC_ADMIN_TOKEN');
  expect(redaction.text('status "svc%2dkey-5e2d17%3')).toBe('status "$SVC_ADMIN_TOKEN%3');
  expect(redaction.text('svc-key-other')).toBe('svc-key-other');
});

test('the beginning of a secret in hex or base64 is replaced', () => {
  const secret = 'svc-key-5e2d177214e498f0';
  const redaction = redactionWith(secret);
  const part = Buffer.from(secret.slice(0, -4));
  expect(redaction.text(`cursor is "L36.${part.toString('hex')}3..."`)).toBe('cursor is "L36.$SVC_ADMIN_TOKEN..."');
  expect(redaction.text(`cursor is "${part.toString('base64url')}..."`)).toBe('cursor is "$SVC_ADMIN_TOKEN..."');
});

test.each(['pa\\new12', 'CORP\\Ted12', 'ends with \\', 'a\\\\b "c" d'])(
  'the backslash of %j is found in JSON',
  (secret) => {
    const redaction = redactionWith(secret);
    const once = JSON.stringify({ secret: 1, value: secret });
    for (const text of [secret, JSON.stringify([secret]), JSON.stringify([once])])
      expect(redaction.known(text)).toContain('$SVC_ADMIN_TOKEN');
    expect(redaction.known(JSON.stringify([secret]))).toBe('["$SVC_ADMIN_TOKEN"]');
  },
);

test('of two secrets with a common beginning, each is recognized by its own', () => {
  const redaction = redactionWith('sk-live-api03-abcdefghijkl');
  redaction.learn('sk-live-api03-mnopqrstuvwx', 'SVC_OTHER');
  expect(redaction.text('"sk-live-api03-abcdef… "sk-live-api03-mnopqr…')).toBe('"$SVC_ADMIN_TOKEN… "$SVC_OTHER…');
});

test('the longer of two secrets with a common prefix is replaced completely', () => {
  const redaction = redactionWith('abcde');
  redaction.learn('abcdefgh', 'SVC_OTHER');
  expect(redaction.known('abcdefgh abcde')).toBe('$SVC_OTHER $SVC_ADMIN_TOKEN');
});

test('a credential with the middle part of a known one is replaced', () => {
  const redaction = createRedaction();
  redaction.learn('a-header.the-payload.a-signature', 'SVC_ADMIN_TOKEN');
  redaction.learnDerived('another.the-payload.');
  redaction.learnDerived('another.payload.');
  expect(redaction.known('Bearer another.the-payload.')).toBe('Bearer $SVC_ALTERED_TOKEN');
  expect(redaction.known('Bearer another.payload.')).toBe('Bearer another.payload.');
});

test('an altered credential is replaced, an invented one is not', () => {
  const redaction = redactionWith('header-payload-signature');
  redaction.learnDerived('header-payload-signaturX');
  redaction.learnDerived('nonsense');
  expect(redaction.known('Bearer header-payload-signaturX')).toBe('Bearer $SVC_ALTERED_TOKEN');
  expect(redaction.known('Bearer nonsense')).toBe('Bearer nonsense');
});

test.each([' ', 'Bearer '])('a secret after %j is that secret', (before) => {
  const redaction = redactionWith('header-payload-signature');
  redaction.learnDerived(`${before}header-payload-signature`);
  expect(redaction.known('Bearer header-payload-signature')).toBe('Bearer $SVC_ADMIN_TOKEN');
});

test('an altered credential that ends with another secret is replaced as a whole', () => {
  const redaction = redactionWith('ab12cd34-client-secret');
  redaction.learn('client-secret', 'SVC_CLIENT_SECRET');
  redaction.learnDerived('xb12cd34-client-secret');
  expect(redaction.known('Bearer xb12cd34-client-secret')).toBe('Bearer $SVC_ALTERED_TOKEN');
});

test('a value that is no credential is replaced only if it quotes a long part of one', () => {
  const secret = 'research-8f14e45fceea167a5a36dedd4bea2543';
  const redaction = redactionWith(secret);
  const [cursor, quoting] = [`["demo-research","agent"]`, `after ${secret.slice(0, -4)}`].map((text) =>
    Buffer.from(text).toString('base64url'),
  );
  for (const value of [cursor!, quoting!]) redaction.learnDerived(value, MIN_QUOTED_LENGTH);
  expect(redaction.known(`cursor=${cursor}`)).toBe(`cursor=${cursor}`);
  expect(redaction.known(`cursor=${quoting}`)).toBe('cursor=$SVC_ALTERED_TOKEN');
});

test('an unknown token in a response is redacted', () => {
  expect(createRedaction().text('{"access_token": "fresh\\"er", "scope": "a"}')).toBe(
    '{"access_token": "(redacted)", "scope": "a"}',
  );
});

test('a token at the end of a truncated text is redacted', () => {
  expect(createRedaction().text('{"access_token": "fre')).not.toContain('fre');
});

test('an authorization code in a URL is redacted', () => {
  expect(createRedaction().text('http://a/callback?code=c0de&state=s')).toBe(
    'http://a/callback?code=(redacted)&state=s',
  );
});

test('strings at any depth are redacted, including keys', () => {
  const redaction = redactionWith('marked');
  expect(redaction.deep({ marked: [{ a: 'is marked' }, 1, null], access_token: 'fresh' })).toEqual({
    $SVC_ADMIN_TOKEN: [{ a: 'is $SVC_ADMIN_TOKEN' }, 1, null],
    access_token: '(redacted)',
  });
});

test.each([
  ['CLIENT_SECRET', { metadata: { CLIENT_SECRET: 'sesame' } }],
  ['REFRESH_TOKEN', { REFRESH_TOKEN: 'sesame' }],
  ['token', { spec: { token: 'sesame' } }],
  ['Password', { Password: 'ses"ame' }],
  ['apiKey', { apiKey: 'sesame' }],
  ['what is below secret', { spec: { secret: { webhook: 'sesame', 'signing-key': 'sesame' } } }],
  ['a secret environment variable', { envs: [{ name: 'A', value: '{sesame}', secret: true }] }],
  ['one that says so first', { envs: [{ secret: true, name: 'A', value: 'sesame' }] }],
  ['one with more in it', { envs: [{ name: 'A', value: 'sesame', valueFrom: { a: ['b'] }, secret: true }] }],
  ['one marked by a string', { envs: [{ name: 'A', value: 'sesame', secret: 'true' }] }],
  ['one marked by a number', { envs: [{ secret: 1, value: 'sesame' }] }],
  ['one marked by an object', { envs: [{ secret: {}, value: 'sesame' }] }],
  ['one marked by null', { envs: [{ value: 'sesame', secret: null }] }],
  ['one marked by its name', { variables: [{ name: 'DB_PASSWORD', value: 'sesame' }] }],
  ['one marked by its name behind it', { envs: [{ value: ['sesame'], name: 'ENCRYPTION_KEY' }] }],
  ['a text of environment variables', { envs: 'DB=sesame' }],
  ['a list of them', { envs: ['DB=sesame', ['A=sesame'], { name: 'A', secret: false }] }],
  ['user info of an address', { a: 'see postgres://me:sesame@b/c, and https://s@esame@d/e@f' }],
  ['one whose value is an object', { envs: [{ name: 'A', value: { a: ['sesame'] }, secret: true }] }],
  [
    'an object below secret in another object',
    { spec: { secret: { a: { b: 'sesame' }, c: ['sesame', [{ d: 'sesame' }]] } } },
  ],
  [
    'an object below another secret key',
    { clientSecret: { current: 'sesame' }, apiKeys: { apiKey: { value: 'sesame' } } },
  ],
  ['an assertion', { assertion: 'sesame', client_assertion: 'sesame', code_verifier: 'sesame' }],
  ['what looks like a placeholder', { password: '$sesame' }],
])('%s is redacted in text and in values', (_, body) => {
  const redaction = createRedaction();
  for (const text of [JSON.stringify(body), JSON.stringify(body, undefined, 2)]) {
    expect(redaction.text(text)).not.toMatch(/ses|ame}/);
    expect(redaction.text(text)).toContain('(redacted)');
    expect(JSON.parse(redaction.text(text))).toEqual(redaction.deep(body));
  }
});

test.each([
  { password: 12345678 },
  { spec: { secret: { PIN: -1234.5e6, list: [12345678] } } },
  { envs: [{ name: 'A', value: 12345678, secret: true }, 12345678] },
  { value: { a: 12345678 }, name: 'A_TOKEN' },
])('a number is redacted like a string in %j', (body) => {
  const redaction = createRedaction();
  const text = JSON.stringify(body);
  expect(redaction.text(text)).not.toMatch(/1234|5e6/);
  expect(JSON.parse(redaction.text(text))).toEqual(redaction.deep(body));
});

test('user info in a URL is redacted, escaped or not', () => {
  const redaction = createRedaction();
  expect(redaction.text('git://me:sesame@host/a')).toBe('git://(redacted)@host/a');
  expect(redaction.text(String.raw`{"a":"git:\/\/me:sesame@host\/a"}`)).toBe(
    String.raw`{"a":"git:\/\/(redacted)@host\/a"}`,
  );
});

test('a token truncated within an escape sequence is redacted', () => {
  expect(createRedaction().text('{"a":"\\"","access_token":"fre\\')).not.toContain('fre');
});

test('a secret environment variable in truncated text is redacted', () => {
  const text = '{"spec":{"runtime":{"envs":[{"name":"A","value":"sesame"';
  for (let length = text.length; length > text.indexOf('ses'); length -= 1)
    expect(createRedaction().text(text.slice(0, length))).not.toContain('se');
});

test.each([
  'client_secret=sesame&grant_type=authorization_code',
  'refresh_token=sesame',
  'code=sesame&client_id=me',
  'password=sesame&username=me',
  'client_assertion=sesame&client_assertion_type=a',
  'assertion=sesame&scope=a+b',
  'code_verifier=sesame',
  'client%5Fsecret=sesame\n',
  'grant_type=authorization_code&code=sesame&redirect_uri=http%3A%2F%2Fa',
  'grant_type=password&password=sesame&username=me',
  'http://a/b?token=sesame',
  'GET /b?a=1&api_key=sesame&c=2 returned 404',
  'see <http://a/b?password=sesame>',
  '{"url":"http://a/b#access_token=sesame"}',
  'http://a/callback?code=sesame&state=s',
])('a secret in a form or URL is redacted in %s', (text) => {
  const clean = createRedaction().text(text);
  expect(clean).not.toContain('sesame');
  expect(clean.replace('(redacted)', 'sesame')).toBe(text);
});

test.each([
  'nextToken=abc&limit=3',
  'http://a/b?cursor=abc&pageToken=abc&page_token=abc&next_token=abc&token_type=bearer',
  'error code=404 in the response',
  '{"error":"a","code":404,"message":"code=404"}',
  'redirect_uri=http%3A%2F%2Fa&response_type=code',
  'the password=',
  'http://a/b@c and http://a?b=c@d, says me@a',
])('values that are not secret are unchanged in %s', (text) => {
  expect(createRedaction().text(text)).toBe(text);
});

test.each(['"sesame"', '47114711'])('the secret member %s is redacted in text with unbalanced quotes', (secret) => {
  expect(createRedaction().text(`it has "one and {"password":${secret}}`)).not.toMatch(/sesame|4711/);
});

test.each([
  { nextPageToken: 'abc', progressToken: 'abc' },
  { token_type: 'bearer', tokens: 'abc', usage: { inputTokens: '3' } },
  { tokens: 12, max_tokens: 3, usage: { prompt_tokens: 17, completion_tokens_details: { reasoning_tokens: 1 } } },
  { usage: { total_tokens: 19 }, expires_in: 3600, series: [{ name: 'tokens', value: 12 }] },
  {
    envs: [
      { name: 'A', value: 'plain', secret: false },
      { name: 'B', value: 'plain' },
    ],
  },
  { secret: false, error: 'no token', keys: 'abc', code: 404, valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
])('values that are not secret are unchanged: %j', (body) => {
  const redaction = createRedaction();
  expect(redaction.text(JSON.stringify(body))).toBe(JSON.stringify(body));
  expect(redaction.deep(body)).toEqual(body);
});

test('keys of assay stay, even if a secret equals one', () => {
  const redaction = redactionWith('expected');
  expect(redaction.values({ expected: 'an expected value', list: [1, 'expected'] })).toEqual({
    expected: 'an $SVC_ADMIN_TOKEN value',
    list: [1, '$SVC_ADMIN_TOKEN'],
  });
});

test.each(['a', 'aa ', '%41', '0123456789abcdef', 'QUJDREVGR0hJ\n', '\\n', '&amp;', '{"a":'])(
  'six million bytes of %j do not exceed the stack',
  (unit) => {
    const text = unit.repeat(6_000_000 / unit.length);
    expect(redactionWith(SECRET).text(`${text} ${SECRET}`)).toContain('$SVC_ADMIN_TOKEN');
  },
);

test.each([']}', ''])('a list of very many values is redacted, with %j at its end', (end) => {
  const text = `{"secret": true, "value": [${'1,'.repeat(300_000)}1${end}`;
  expect(redactionWith(SECRET).text(text)).not.toMatch(/\b1\b/);
});

test.each(['"token":"', '://', 'token='])('sixteen million characters after %s do not exceed the stack', (before) => {
  const redaction = redactionWith(SECRET);
  expect(redaction.text(`${before}${'b'.repeat(16_000_000)} ${SECRET}`)).not.toContain(SECRET);
});

test.each([
  ['escapes', '\\n', '\\n'],
  ['words', 'a ', 'a '],
  ['beginnings', 'svc-key-5e2d ', 'a '],
])('the time for a text of %s is linear in its length', (_, unit, plain) => {
  const cpuMs = (text: string, length: number): number => {
    const long = `${text.repeat(length / text.length)} ${SECRET}`;
    const redaction = redactionWith(SECRET);
    // Of this thread only, because other tests run in others.
    const { user } = process.threadCpuUsage();
    expect(redaction.text(long)).toContain('$SVC_ADMIN_TOKEN');
    return (process.threadCpuUsage().user - user) / 1000;
  };
  cpuMs(plain, 2 ** 16);
  // Ten times the text may take ten times as long, and a quadratic search a hundred times.
  expect(cpuMs(unit, 10 * 2 ** 18)).toBeLessThan(40 * Math.max(20, cpuMs(unit, 2 ** 18)));
});

test('an object with a number that contains a secret of digits stays an object', () => {
  const redaction = redactionWith('20261');
  const value = { memory: 4096, timeout: 120, size: 1_202_614, name: 'x', triggers: [] };
  expect(redaction.deepKnown(value)).toEqual(value);
});

test('a secret whose beginning is also known is replaced as a whole, if only the rest of it is escaped', () => {
  const redaction = createRedaction();
  redaction.learn('header.payload.first-second', 'SVC_ADMIN_TOKEN');
  redaction.learn('header.payload', 'SVC_ALTERED_TOKEN');
  expect(redaction.text(String.raw`L.header.payload.first\u002dsecond!`)).toBe('L.$SVC_ADMIN_TOKEN!');
  expect(redaction.text('L.header.payload.first%2Dsecond!')).toBe('L.$SVC_ADMIN_TOKEN!');
});
