/** `assay world`, tried with the real command on deployments that the mock then stands in for. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listed } from '../../fixtures/strangers/lists.ts';
import { meteredWindow } from '../../fixtures/strangers/meters.ts';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { startMock, type MockOptions } from '../../mock/start-mock.ts';
import { readWorldFile } from '../../mock/world/read-world-file.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { isFields } from '../../suites/json/fields.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';
import { openTestTarget } from './testing/run-on-target.ts';
import { startRecordingMock } from './testing/recording-mock.ts';
import { readDeployment } from '../world/read-deployment.ts';
import { contentsOf } from '../world/response-contents.ts';
import { meteredUsage, type MeteredUsage } from '../world/metered-usage.ts';

const valueOf = (source: unknown): string => (source as { value: string }).value;

async function writeWorld(target: TargetFile) {
  const out = path.join(newFolder(), 'world.yaml');
  const ended = await run(['world', '--from', targetFile(target), '--out', out]);
  const text = existsSync(out) ? readFileSync(out, 'utf8') : '';
  const world = text === '' ? undefined : ((await readWorldFile(out)) as NonNullable<MockOptions['world']>);
  return { ...ended, text, world: world! };
}

/** What the command reads, from a mock or a server. */
async function readContents(file: TargetFile) {
  const { responses } = await readDeployment(await openTestTarget(file));
  const { resources } = contentsOf(responses);
  const byName = resources.map(({ collection, name, fields }) => [`${collection}/${name}`, fields['spec']] as const);
  return { specs: new Map(byName), usage: meteredUsage(responses, Date.now()).usage };
}

const replaced = /\.(?:envs\[\d\]\.value|image|url|notes|secret(?:\.\w+)?|token)$/;

/** The strings, numbers and booleans of a spec by their paths, without those that are replaced. */
function leavesOf(value: unknown, at: string): [string, unknown][] {
  if (replaced.test(at)) return [];
  if (Array.isArray(value)) return value.flatMap((each, index) => leavesOf(each, `${at}[${index}]`));
  if (isFields(value)) return Object.entries(value).flatMap(([key, each]) => leavesOf(each, `${at}.${key}`));
  return [[at, value]];
}

const keyOf = ({ workspace, resourceType, name, dimension }: MeteredUsage): string =>
  `${workspace} ${resourceType} ${name} ${dimension}`;
/** Custom domains have names that a world file does not allow. */
const amounts = (usage: readonly MeteredUsage[]): Map<string, number> =>
  new Map(
    usage
      .filter(({ name, resourceType }) => resourceType !== 'custom_domain' && /^[a-z0-9-]+$/.test(name))
      .map((each) => [keyOf(each), each.amount]),
  );

/** Ticks of storage are the largest: 25 GB-seconds. */
function expectSameUsage(actual: readonly MeteredUsage[], expected: readonly MeteredUsage[]): void {
  expect(expected.length).toBeGreaterThan(100);
  expect(actual.length).toBe(expected.length);
  const found = amounts(actual);
  for (const [key, amount] of amounts(expected))
    expect([key, Math.abs((found.get(key) ?? -Infinity) - amount) <= 25]).toEqual([key, true]);
}

test.each(['strict', 'lenient'] as const)('the mock has what the %s server lists, and its usage', async (character) => {
  await using stranger = await startStranger({ character, hasLists: true });
  const { code, out, text, world } = await writeWorld(stranger.target);
  expect([out, code]).toEqual([expect.stringMatching(/^Not read: listCustomDomains, .* returned 404\.$/m), 0]);
  expect(out).not.toContain('does not accept');
  expect(text).not.toMatch(/pequod|ahab|carey|queequeg|starbuck|1851|nantucket|tashtego|stubb/i);
  expect(text).not.toContain(valueOf(stranger.target.credentials?.admin));

  await using mock = await startMock({ world });
  const names = (specs: ReadonlyMap<string, unknown>): string[] =>
    [...specs.keys()].filter((name) => !/^(?:workspaces|images)\//.test(name)).toSorted();
  const expected = Object.entries(listed).flatMap(([at, items]) =>
    items.map(({ name, spec = {} }) => [`${at.slice(1)}/${name}`, spec] as const),
  );
  const target = { ...(mock.target as TargetFile), metrics: { window: meteredWindow } };
  const [mocked, served] = await Promise.all([readContents(target), readContents(stranger.target)]);
  expect(names(mocked.specs)).toEqual(expected.map(([name]) => name).toSorted());
  // The mock adds what the server does not show.
  const leaves = expected.flatMap(([name, spec]) => leavesOf(spec, name));
  const found = new Map(expected.flatMap(([name]) => leavesOf(mocked.specs.get(name), name)));
  expect(leaves.map(([at]) => [at, found.get(at)])).toEqual(leaves);
  expectSameUsage(mocked.usage, served.usage);
  expect(mock.target).toMatchObject({
    workspace: 'tide',
    account: '4711',
    resources: {
      agent: 'sage',
      mk3Agent: 'swift',
      volume: { name: 'shell', region: 'shore-1' },
      integration: 'pigeon',
      mailIntegration: 'gull-mail',
    },
  });
});

test('without lists, the world has what the target file and the metrics name, and says what is missing', async () => {
  await using stranger = await startStranger({ character: 'lenient' });
  const { code, out, world } = await writeWorld(stranger.target);
  expect([out, code]).toEqual([
    expect.stringMatching(/^Not in the world file: agents that only the target file names, except their names: 2\.$/m),
    0,
  ]);
  await using mock = await startMock({ world });
  expect(mock.target.resources).toEqual({ ...stranger.target.resources });
});

test('a world of the world of a mock is the same; only GET requests are sent, none of them twice', async () => {
  await using watched = await startRecordingMock();
  const first = await writeWorld(watched.target);
  expect([first.out, first.code]).toEqual([expect.not.stringContaining('Not read'), 0]);
  const sent = watched.seen.map(({ method, url }) => `${method} ${url}`);
  expect(sent.filter((each) => !each.startsWith('GET '))).toEqual([]);
  // The account is looked up first, if the target file has none.
  const reads = sent.filter((each) => each !== 'GET /v0/accounts');
  expect(new Set(reads).size).toBe(reads.length);

  await using mock = await startMock({ world: first.world });
  const [before, after] = await Promise.all([readContents(watched.target), readContents(mock.target)]);
  expect([...after.specs.keys()].toSorted()).toEqual([...before.specs.keys()].toSorted());
  expectSameUsage(after.usage, before.usage);
  const second = await writeWorld(mock.target);
  const withoutTimes = (text: string): string => text.replaceAll(/createdAt: .*/g, '');
  expect(withoutTimes(second.text)).toBe(withoutTimes(first.text));
});

test('proxy --record FILE.yaml writes a world file of what passed', async () => {
  await using stranger = await startStranger({ character: 'strict', hasLists: true });
  const cwd = newFolder();
  const script = `
    const target = JSON.parse((await import('node:fs')).readFileSync(process.env.ASSAY_TARGET, 'utf8'));
    const headers = { authorization: 'Bearer ' + target.credentials.admin.value };
    for (const path of ['agents', 'volumes', 'policies', 'agents']) await (await fetch(target.addresses.management + '/' + path, { headers })).text();
  `;
  const words = ['proxy', '--target', targetFile(stranger.target), '--record', 'world.yaml'];
  const command = ['--', process.execPath, '--input-type=module', '--eval', script];
  const { out } = await run([...words, ...command], { cwd });
  expect(out).toContain('Wrote world.yaml: the world has');
  const text = readFileSync(path.join(cwd, 'world.yaml'), 'utf8');
  expect(text).not.toMatch(/pequod|queequeg|carey/i);
  await using mock = await startMock({
    world: (await readWorldFile(path.join(cwd, 'world.yaml'))) as NonNullable<MockOptions['world']>,
  });
  const { specs } = await readContents(mock.target);
  expect(specs.get('agents/sage')).toMatchObject({ region: 'shore-1', runtime: { memory: 512 } });
  expect(await run([...words, ...command], { cwd })).toMatchObject({
    code: 2,
    out: expect.stringContaining('already exists') as string,
  });
});

test('2 for a wrong use and if nothing can be read, 3 if nothing responds; no file is overwritten', async () => {
  expect(await run(['world'])).toMatchObject({ code: 2, out: expect.stringContaining('--from FILE') as string });
  await using refusing = await localServer(() => ({ status: 403, body: { error: 'no' } }));
  const target = (management: string): string =>
    targetFile({
      addresses: { management },
      credentials: { admin: { value: 'marked-secret-1234' } },
      account: 'a',
      workspace: 'w',
    });
  const refused = await run(['world', '--from', target(`${refusing.address}/v0`)]);
  expect(refused).toEqual({ code: 2, out: expect.stringMatching(/Nothing could be read: .* returned 403/) });
  expect((await run(['world', '--from', target('http://127.0.0.1:9/v0')])).code).toBe(3);
  const existing = target(refusing.address);
  expect(await run(['world', '--from', existing, '--out', existing])).toMatchObject({
    code: 2,
    out: expect.stringContaining('not overwritten') as string,
  });
});
