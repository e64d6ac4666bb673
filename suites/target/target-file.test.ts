import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { badTargets, goodTargets, targetsFolder } from '../../fixtures/targets/index.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { parseTargetFile, readTargetFile } from './target-file.ts';

const none = { environment: {} };

const textOf = (file: string): Promise<string> => readFile(new URL(file, targetsFolder), 'utf8');

function refusalOf(text: string): string {
  try {
    parseTargetFile(text, 'target.yaml', none);
  } catch (error) {
    if (error instanceof InvalidInput) return error.message;
    throw error;
  }
  return 'accepted';
}

test.each(goodTargets)('%s is read', async (file) => {
  expect(
    parseTargetFile(await textOf(file), file, { environment: {}, folder: fileURLToPath(targetsFolder) }).addresses
      .management,
  ).toMatch(/^https?:/);
});

test.each(badTargets)('$file is refused with a message that names the error', async ({ file, names, hides = [] }) => {
  const reported = refusalOf(await textOf(file));
  expect(reported).toMatch(/^target\.yaml: /);
  for (const name of names) expect(reported).toContain(name);
  for (const secret of hides) expect(reported).not.toContain(secret);
});

test('the error for an unknown nested key contains its place and the allowed keys', () => {
  const reported = refusalOf('addresses: {management: "http://a/v0"}\nresources: {volume: {name: v, zone: x}}');
  expect(reported).toBe('target.yaml: Unknown key "zone" in resources.volume. Allowed: name, region.');
});

test.each(['', 'just words', '[]', '{"addresses": ', 'addresses: {management: "http://a/v0"}\naddresses: {}'])(
  'a file with the content %j is refused',
  (text) => {
    expect(refusalOf(text)).toMatch(/^target\.yaml: /);
  },
);

test.each(['http://a/v0\n::error::b', 'http://a\t/v0', ' http://a/v0', 'http://a/v\u009b0', 'http://a/\u202ev0'])(
  'the address %j is refused',
  (management) => {
    const reported = refusalOf(JSON.stringify({ addresses: { management } }));
    expect(reported).toContain('is not a URL without spaces, line breaks and control characters.');
  },
);

test('the error for an invalid file does not contain its secrets', () => {
  expect(refusalOf('credentials:\n  admin: {value: "marked-secret\n x')).not.toContain('marked-secret');
});

test('an alias has the value of its anchor', () => {
  const text = 'addresses: {management: "http://a/v0"}\ncredentials: {admin: &token {env: TOKEN}, apiKey: *token}';
  expect(parseTargetFile(text, 'x', none).credentials).toEqual({ admin: { env: 'TOKEN' }, apiKey: { env: 'TOKEN' } });
});

test.each(['http://127.0.0.1:8765/callback', 'https://a.example/?from=b', 'com.example.app:/callback'])(
  'a client may have the redirect URI %s',
  (redirectUri) => {
    const client = { id: { value: 'a' }, secret: { value: 'b' }, redirectUri };
    expect(refusalOf(JSON.stringify({ addresses: { management: 'http://a/v0' }, client }))).toBe('accepted');
  },
);

test.each(['/callback', 'localhost:8765/callback', 'http://a/#b', 'http://'])(
  'a client may not have the redirect URI %s',
  (redirectUri) => {
    const client = { id: { value: 'a' }, secret: { value: 'b' }, redirectUri };
    expect(refusalOf(JSON.stringify({ addresses: { management: 'http://a/v0' }, client }))).toContain('redirectUri');
  },
);

test('client credentials may contain spaces and non-ASCII letters, but no line breaks', () => {
  const withClient = (secret: string) => `addresses: {management: "http://a/v0"}\nclient: ${secret}`;
  expect(refusalOf(withClient('{id: {value: "pilot:7 é"}, secret: {value: "s+e c%"}}'))).toBe('accepted');
  expect(refusalOf(withClient('{id: {value: pilot}, secret: {value: "s\\n"}}'))).toContain('client.secret.value');
  expect(refusalOf('addresses: {management: "http://a/v0"}\ncredentials: {admin: {value: "a b"}}')).toContain('admin');
});

test('a trailing slash of an address is removed', () => {
  expect(parseTargetFile('addresses: {management: "http://a/v0/"}', 'x', none).addresses.management).toBe(
    'http://a/v0',
  );
});

test('- is standard input', async () => {
  const file = await readTargetFile('-', {}, Readable.from(['{"addresses": {"management": "http://a/v0"}}']));
  expect(file.addresses.management).toBe('http://a/v0');
});

test('the error for a missing file names it', async () => {
  await expect(readTargetFile('/nowhere/target.yaml', {})).rejects.toThrow('"/nowhere/target.yaml"');
});
