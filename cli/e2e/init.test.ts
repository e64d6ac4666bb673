/** `assay init` writes a target file for a deployment; tests the real command. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { invisibleCharacters } from '../../spec/invisible-characters.ts';
import { placeholderName } from '../../suites/target/target.ts';
import { parseTargetFile } from '../../suites/target/target-file.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { newFolder, run } from './testing/assay-process.ts';
import { startRecordingMock } from './testing/recording-mock.ts';

const valueOf = (source: unknown): string => (source as { value: string }).value;

function environmentOf({ credentials = {} }: TargetFile): Record<string, string> {
  return Object.fromEntries(credentialNames.map((name) => [placeholderName(name), valueOf(credentials[name])]));
}

async function init(baseUrl: string, env: Record<string, string> = {}, words: readonly string[] = []) {
  const cwd = newFolder();
  const { code, out } = await run(['init', '--base-url', baseUrl, ...words], { cwd, env });
  const written = path.join(cwd, 'assay.target.yaml');
  const text = existsSync(written) ? readFileSync(written, 'utf8') : '';
  return {
    code,
    out,
    text,
    cwd,
    file: text === '' ? undefined : parseTargetFile(text, 'the file', { environment: env }),
  };
}

test('the target file of a mock has everything a read-only run needs, and only GET requests were sent', async () => {
  await using watched = await startRecordingMock();
  const env = {
    ...environmentOf(watched.target),
    SVC_CLIENT_ID: 'demo-client',
    SVC_CLIENT_SECRET: 'demo-secret',
    SVC_AGENTS_UPDATE_TOKEN: valueOf(watched.target.credentials?.scoped?.['agents:update']),
  };
  const { code, out, text, cwd, file } = await init(watched.target.addresses.management, env);
  expect(code).toBe(0);
  expect(new Set(watched.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(watched.seen.length).toBeLessThan(25);
  const { previewTokens: _, templateVersions: __, ...resources } = watched.target.resources ?? {};
  expect(file).toMatchObject({
    addresses: { management: watched.target.addresses.management },
    workspace: watched.target.workspace,
    account: watched.target.account,
    credentials: {
      admin: { env: 'SVC_ADMIN_TOKEN' },
      expired: { env: 'SVC_EXPIRED_TOKEN' },
      scoped: { 'agents:update': { env: 'SVC_AGENTS_UPDATE_TOKEN' } },
    },
    client: { id: { env: 'SVC_CLIENT_ID' }, secret: { env: 'SVC_CLIENT_SECRET' } },
    resources,
    allow: 'read',
  });
  for (const secret of Object.values(env)) expect(text + out).not.toContain(secret);
  expect(text).toMatch(/^# yaml-language-server: \$schema=/);
  expect(out).toMatch(/^At most \d+ of \d+ must rules can be tried with it\. By area:\n {2}versions \d+\/\d+, auth/m);
  expect(out).toMatch(/^ +\d+ {2}pass --allow write, so that/m);
  const target = ['--target', 'assay.target.yaml'];
  expect(await run(['doctor', ...target], { cwd, env })).toMatchObject({ code: 0 });
  expect(await run(['test', '--plan', ...target], { cwd, env })).toMatchObject({ code: 0 });
});

test.each(['strict', 'lenient'] as const)('the target file of the %s server is valid', async (character) => {
  await using stranger = await startStranger({ character });
  const env = environmentOf(stranger.target);
  const { code, out, cwd, file } = await init(stranger.target.addresses.management, env);
  expect({ code, account: file?.account }).toEqual({ code: 0, account: expect.stringMatching(/./) as string });
  expect(out).toMatch(/could not be listed; add them by hand: GET \/agents, GET \/models, .* returned 404; GET /);
  expect(out).not.toContain('is refused: GET');
  const target = ['--target', 'assay.target.yaml'];
  expect(await run(['doctor', ...target], { cwd, env })).toMatchObject({ code: 0 });
  expect(await run(['test', '--plan', ...target], { cwd, env })).toMatchObject({ code: 0 });
});

const admin = { SVC_ADMIN_TOKEN: 'marked-secret-1234' };

test('a server that refuses most lists: what was found is written, and the rest is named', async () => {
  const models = [{ metadata: { name: 'm1', workspace: 'w' }, status: 'DEPLOYED' }];
  await using server = await localServer(({ url }) =>
    url === '/v0/models' ? { body: { items: models } } : { status: url === '/v0/accounts' ? 200 : 403, body: [] },
  );
  const { code, out, file } = await init(`${server.address}/v0`, admin);
  expect(file).toMatchObject({ workspace: 'w', resources: { model: 'm1' } });
  expect(out).toMatch(/: GET \/agents, GET \/functions, .* returned 403/);
  expect(out).not.toContain('GET /models');
  expect(out).toMatch(/^ +\d+ {2}add account to the target file/m);
  expect(code).toBe(0);
});

test('without credentials, or if all are refused, it says so and writes no file', async () => {
  await using server = await localServer(() => ({ status: 401, body: { error: 'no' } }));
  const none = await init(`${server.address}/v0`);
  expect(none).toMatchObject({ code: 2, text: '' });
  expect(none.out).toMatch(/^assay init: There is no credential\. Set the variable SVC_ADMIN_TOKEN or SVC_API_KEY /);
  const refused = await init(`${server.address}/v0`, admin);
  expect(refused).toMatchObject({ code: 2, text: '' });
  expect(refused.out).toMatch(
    /^assay init: The target refuses every credential: .* returned 401\. Replace the value of SVC_ADMIN_TOKEN, /,
  );
});

test('if every read is refused, it names the credential to check first', async () => {
  await using server = await localServer(() => ({ status: 403, body: { error: 'no' } }));
  const { code, out } = await init(`${server.address}/v0`, admin);
  expect(code).toBe(0);
  expect(out).toMatch(/^Nothing could be read with SVC_ADMIN_TOKEN \(GET \/accounts returned 403\): check first /m);
});

test('if the strongest credential gets 401 and reads nothing, it says so and writes no file', async () => {
  await using stranger = await startStranger({ character: 'lenient' });
  const { SVC_MEMBER_TOKEN = '' } = environmentOf(stranger.target);
  const wrong = { SVC_ADMIN_TOKEN: 'wrong-token', SVC_MEMBER_TOKEN };
  const { management } = stranger.target.addresses;
  const refused = await init(management, wrong);
  expect(refused).toMatchObject({ code: 2, text: '' });
  expect(refused.out).toBe(
    'assay init: Nothing could be read with SVC_ADMIN_TOKEN: the deployment returned 401. No file was written. Replace its value, or unset the variable to use another credential. If it is valid but limited, set SVC_ACCOUNT to the account.\n',
  );
  expect(await init(management, { ...wrong, SVC_ACCOUNT: '4711' })).toMatchObject({ code: 2, text: '' });
  const limited = await init(management, { SVC_MEMBER_TOKEN, SVC_ACCOUNT: '4711' });
  expect(limited).toMatchObject({ code: 0, file: { account: '4711' } });
  expect(limited.out).not.toContain('is refused: GET');
});

test('a list with status 401 is enough to doubt a credential that otherwise gets 403', async () => {
  await using server = await localServer(({ url }) => ({ status: url === '/v0/agents' ? 401 : 403 }));
  expect(await init(`${server.address}/v0`, admin)).toMatchObject({ code: 2, text: '' });
});

test('another brand is noticed, and only suggested in a comment', async () => {
  const headers = { vary: 'X-Zephyr-Authorization' };
  await using server = await localServer(({ url, headers: sent }) =>
    sent['x-svc-authorization'] === undefined
      ? { body: url === '/v0/accounts' ? [{ id: 'a' }] : [], headers }
      : { status: 401, headers },
  );
  const { code, out, text, file } = await init(`${server.address}/v0`, admin);
  expect(code).toBe(0);
  expect(out).toMatch(/^X-Svc-Authorization is refused, .* Set brand in the target file .*, probably Zephyr\./m);
  expect(text).toMatch(/^# brand: Zephyr # the word in header names such as X-Svc-Authorization; /m);
  expect(text).toMatch(/^# name: NAME # /m);
  expect(text).toMatch(/^# metrics:\n {2}# window: \{ start: \S+Z, end: \S+Z \}$/m);
  expect(file).toMatchObject({ account: 'a' });
  expect(Object.keys(file ?? {})).not.toContain('brand');
});

test('a deployment that lists nothing is no reason to doubt the credential', async () => {
  await using server = await localServer(({ url }) => (url.endsWith('/accounts') ? { status: 403 } : { body: [] }));
  const { code, out } = await init(`${server.address}/v0`, admin);
  expect(code).toBe(0);
  expect(out).not.toContain('Nothing could be read');
});

test.each(['/v1', ''])('at an address with the wrong path %j it says so and writes no file', async (path_) => {
  await using mock = await startMock({});
  const address = mock.addresses.management.replace('/v0', path_);
  const { code, out, text } = await init(address, environmentOf(mock.target));
  expect({ code, text }).toEqual({ code: 2, text: '' });
  expect(out).toMatch(
    /^assay init: Nothing of the API responds at http\S+: GET \/accounts, .* such as \/v0\. .* answer GET \/accounts first\.\n$/,
  );
});

test('one refused credential of several is named', async () => {
  await using mock = await startMock({});
  const env = { SVC_ADMIN_TOKEN: mock.target.credentials.admin.value, SVC_MEMBER_TOKEN: 'wrong-token' };
  const { code, out, file } = await init(mock.addresses.management, env);
  expect({ code, account: file?.account }).toEqual({ code: 0, account: 'acc-demo' });
  expect(out).toMatch(/SVC_MEMBER_TOKEN/);
  expect(out).not.toContain('Nothing could be read');
});

/** Breaks out of YAML or a comment, names a variable, hides, or repeats the secret. */
const hostileNames = [
  'a\nallow: destroy',
  'a\r\nallow: destroy',
  'a\u2028allow: destroy',
  '# b',
  '${SVC_ADMIN_TOKEN}',
  '\u001b[31mred',
  'x\u202ey',
  admin.SVC_ADMIN_TOKEN,
  Buffer.from(admin.SVC_ADMIN_TOKEN).toString('hex'),
  'n'.repeat(5000),
];

test('hostile lists change nothing but names: no secret, control character, key or foreign address gets into the file', async () => {
  const listed = [...hostileNames, 'true', 'null', 'good'].flatMap((name) => [
    { metadata: { name, workspace: name, url: `https://evil.example/${name}/agents/${name}` }, spec: { region: name } },
    { metadata: { name: 'good', workspace: 'w', url: `https://evil.example/w/models/good` }, spec: { region: 'eu' } },
  ]);
  await using server = await localServer(({ url }) =>
    url === '/v0/jobs'
      ? { body: JSON.parse('['.repeat(150) + ']'.repeat(150)) as unknown }
      : { body: [...listed, 7, null, [], {}] },
  );
  const { code, out, text, file } = await init(`${server.address}/v0`, admin);
  expect(code).toBe(0);
  expect(file).toMatchObject({ addresses: { management: `${server.address}/v0` }, allow: 'read', workspace: 'w' });
  expect(Object.keys(file?.addresses ?? {})).toEqual(['management']);
  expect(text).toMatch(/^ {2}# inference: https:\/\/evil\.example # .* on another host/m);
  for (const written of [text, out]) {
    expect(written).not.toContain('marked-secret');
    expect(written).not.toContain(Buffer.from('marked-secret').toString('hex'));
    expect(written).not.toContain('${');
    expect(written.replaceAll('\n', '')).not.toMatch(invisibleCharacters);
  }
  expect(text.match(/^allow:.*$/gm)).toEqual(['allow: read']);
  expect(out).toMatch(/Skipped \d+ resources with a name that is not plain ASCII/);
});

test('an account id with half of a character is written without an internal error', async () => {
  await using server = await localServer(() => ({ body: [{ id: 'acc\ud800' }] }));
  const { code, out } = await init(`${server.address}/v0`, admin);
  expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('Internal error') as string });
});

test('2 if the file exists, without a request; without --base-url; for an invalid address', async () => {
  await using server = await localServer(() => ({ body: [] }));
  const cwd = newFolder();
  writeFileSync(path.join(cwd, 'mine.yaml'), 'mine');
  const words = ['init', '--base-url', `${server.address}/v0`];
  const { code, out } = await run([...words, '--out', 'mine.yaml'], { cwd });
  expect(out).toBe(
    'assay init: "mine.yaml" already exists, and is not overwritten. Choose another --out FILE, or remove it first.\n',
  );
  expect({ code, text: readFileSync(path.join(cwd, 'mine.yaml'), 'utf8'), sent: server.received.length }).toEqual({
    code: 2,
    text: 'mine',
    sent: 0,
  });
  expect((await run([...words, '--out', 'mine.yaml/target.yaml'], { cwd })).code).toBe(2);
  expect(await run(['init'])).toMatchObject({
    code: 2,
    out: expect.stringContaining('Expected --base-url URL') as string,
  });
  expect(await run(['init', '--base-url', 'nonsense'])).toMatchObject({ code: 2 });
});

test('--out in a new folder: the folder is created, and a .json file is a JSON target file', async () => {
  await using mock = await startMock({});
  const cwd = newFolder();
  const env = { SVC_ADMIN_TOKEN: mock.target.credentials.admin.value };
  const out = 'sub/dir/target.json';
  expect(await run(['init', '--base-url', mock.addresses.management, '--out', out], { cwd, env })).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(readFileSync(path.join(cwd, out), 'utf8'))).toMatchObject({
    $schema: expect.stringMatching(/^\.\.\/\.\.\/node_modules\//) as string,
    addresses: { management: mock.addresses.management },
  });
  expect(await run(['doctor', '--target', out], { cwd, env })).toMatchObject({ code: 0 });
});

test('3 if nothing responds, and no file is written', async () => {
  const { code, out, text } = await init('http://127.0.0.1:1/v0');
  expect(out).toMatch(/^assay init: http:\/\/127\.0\.0\.1:1\/v0 does not respond: nothing listens on this port/);
  expect({ code, text }).toEqual({ code: 3, text: '' });
});

test('3 if a proxy responds for a deployment that is down, and no file is written', async () => {
  await using server = await localServer(() => ({ status: 503, body: 'down' }));
  const { code, out, text } = await init(`${server.address}/v0`, admin);
  expect(out).toBe(
    `assay init: ${server.address}/v0 responds with 503 to every request. Check that the deployment is running.\n`,
  );
  expect({ code, text }).toEqual({ code: 3, text: '' });
});
