import { expect, test } from 'vitest';
import { escapeReferences } from './escape-references.ts';
import { parseTargetFile } from './target-file.ts';
import { replaceVariables } from './variables.ts';

const environment = { HOST: 'api.example.com', RATE: '50', TOKEN: 'marked-secret', EMPTY: '', LOOP: '${HOST}' };
const parse = (text: string) => parseTargetFile(text, 'target.yaml', { environment });
const replaced = (value: unknown): unknown => replaceVariables(value, environment);

test.each([
  ['https://${HOST}/v0', 'https://api.example.com/v0'],
  ['${HOST}:${RATE}', 'api.example.com:50'],
  ['${UNSET:-a}-${HOST:-b}', 'a-api.example.com'],
  ['${EMPTY:-default}', 'default'],
  ['${UNSET:-}', ''],
  ['${UNSET:-a:-b c}', 'a:-b c'],
  ['$${HOST} costs $5 {HOST} $HOST', '${HOST} costs $5 {HOST} $HOST'],
  ['${LOOP}', '${HOST}'],
])('%j becomes %j', (text, expected) => {
  expect(replaced({ list: [{ text }] })).toEqual({ list: [{ text: expected }] });
});

test('keys, numbers and booleans are not changed', () => {
  expect(replaced({ '${HOST}': [1, true, null] })).toEqual({ '${HOST}': [1, true, null] });
});

test('references can stand for URLs, words, instants and numbers', () => {
  const file = parse(`
addresses: {management: 'https://\${HOST}/v0'}
allow: \${LEVEL:-write}
rate: \${RATE}
metrics: {window: {start: '\${START:-2026-10-01T00:00:00Z}', end: 2026-11-01T00:00:00Z}}
resources: {agent: '\${RATE}'}
`);
  expect(file).toMatchObject({
    addresses: { management: 'https://api.example.com/v0' },
    allow: 'write',
    rate: 50,
    resources: { agent: '50' },
  });
});

test.each([
  ['workspace: ${UNSET}', 'workspace: the environment variable UNSET is not set.'],
  ['workspace: "${toString}"', 'workspace: the environment variable toString is not set.'],
  ['workspace: "${EMPTY}"', 'workspace: the environment variable EMPTY is not set.'],
  ['resources: {policies: [a, "${UNSET}"]}', 'resources.policies[1]: the environment variable UNSET'],
  ['credentials: {admin: {value: "${UNSET}"}}', 'credentials.admin.value: the environment variable UNSET'],
  ['workspace: "${not a name}"', 'workspace: expected ${NAME}'],
  ['workspace: "${UNSET:-${HOST}}"', 'workspace: expected ${NAME}'],
  ['workspace: "${HOST"', 'workspace: expected ${NAME}'],
  ['allow: ${HOST}', 'allow: "api.example.com" is not one of read, write, destroy'],
  ['rate: ${HOST}', 'rate: "api.example.com" is not a number'],
])('%s is refused', (text, message) => {
  expect(() => parse(`addresses: {management: 'http://a/v0'}\n${text}`)).toThrow(`target.yaml: ${message}`);
});

test('messages do not contain values of variables in credentials and in client', () => {
  for (const text of ['credentials: {admin: "${TOKEN}"}', 'client: {id: "${TOKEN}"}', 'tls: {key: "${TOKEN}"}']) {
    const refused = () => parse(`addresses: {management: 'http://a/v0'}\n${text}`);
    expect(refused).toThrow('target.yaml: ');
    expect(refused).not.toThrow('marked-secret');
  }
});

test('a secret that is one variable keeps the name of the variable', () => {
  const text =
    "addresses: {management: 'http://a/v0'}\ncredentials: {admin: {value: '${TOKEN}'}, member: {value: 'x${TOKEN}'}}";
  expect(parse(text).credentials).toEqual({ admin: { env: 'TOKEN' }, member: { value: 'xmarked-secret' } });
});

test.each(['${HOST}', '$${HOST}', '$$${HOST}', 'a$b{c}'])('%j stays as it is after it is escaped', (text) => {
  expect(replaced(escapeReferences({ text }))).toEqual({ text });
});
