/** `assay test --plan` prints what a run would send, and sends nothing; tests the real command. */
import { expect, test } from 'vitest';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import { startRecordingMock } from './testing/recording-mock.ts';

const shortPlanOf = (file: TargetFile, ...words: string[]) =>
  run(['test', '--plan', '--target', targetFile(file), '--runs', '1', '--seed', '1', ...words]);
const planOf = (file: TargetFile, ...words: string[]) => shortPlanOf(file, '--exchanges', 'all', ...words);

const targetAt = (address: string): TargetFile => ({
  name: 'staging',
  addresses: { management: `${address}/v0`, inference: address, sandbox: address },
  workspace: 'prod',
  credentials: {
    admin: { value: 'marked.admin.secret' },
    member: { value: 'marked-member-secret' },
    unrelated: {
      clientCredentials: {
        tokenUrl: `${address}/oauth/token`,
        id: { value: 'id' },
        secret: { value: 'marked-client' },
      },
    },
  },
  resources: { agent: 'shop', sandbox: 'box' },
});

test('nothing is sent to the target: no request at all, and no token is fetched', async () => {
  await using server = await localServer(() => ({}));
  const { code, out } = await planOf(
    targetAt(server.address),
    ...onlyThese('errors.{generic,management}.*', 'versions.header.*', 'metrics.roles.group-by-workspace-admin-only'),
  );
  expect(code).toBe(0);
  expect(server.received).toEqual([]);
  expect(out).toContain(`Token request before the run: POST ${server.address}/oauth/token`);
  expect(out).toMatch(/\d+ {2}GET \/accounts\/\{accountId\}\/metrics +SVC_ADMIN_TOKEN\n/);
  expect(out).toMatch(/\d+ {2}GET \/accounts\/\{accountId\}\/metrics +SVC_MEMBER_TOKEN\n/);
  expect(out).toMatch(/\d+ {2}GET \/accounts +none\n/);
  expect(out).toMatch(/\d+ {2}\w+ management, undocumented +SVC_ADMIN_TOKEN\n/);
  expect(out).toContain('Nothing is created, changed or removed (allow: read).');
  expect(out).not.toContain('marked');
});

test('by default a plan of all rules fits on a screen, with sums by surface and credential', async () => {
  const { code, out } = await shortPlanOf(targetAt('http://127.0.0.1:1'), '--allow', 'destroy');
  expect(code).toBe(0);
  expect(out.split('\n').length).toBeLessThan(40);
  expect(out).toMatch(/^management +GET \d+, /m);
  expect(out).toMatch(/^credentials +SVC_ADMIN_TOKEN \d+, /m);
  expect(out).toContain('add --exchanges all');
});

test('operations that the target lacks are not planned', async () => {
  await using server = await localServer(() => ({}));
  const { addresses, credentials } = targetAt(server.address);
  const { member: _, ...fewer } = credentials ?? {};
  const file = { addresses: { management: addresses.management }, credentials: fewer };
  const { out } = await planOf(
    file,
    ...onlyThese(
      'errors.management.*',
      'errors.sandbox.*',
      'inference.agents.answers',
      'metrics.roles.group-by-workspace-admin-only',
    ),
  );
  expect(out).not.toMatch(/^sandbox$/m);
  expect(out).not.toMatch(/^inference$/m);
  expect(out).not.toContain('SVC_MEMBER_TOKEN');
  expect(out).toMatch(/^management$/m);
});

test('prints what may remain, with its budget', async () => {
  await using server = await localServer(() => ({}));
  const words = ['--allow', 'destroy', '--budget', '7', ...onlyThese('vpcs.*', 'versions.listed.*')];
  const { out } = await planOf(targetAt(server.address), ...words);
  expect(out).toMatch(/Creates resources, and removes them if the target supports it.*createVpc × \d/);
  expect(out).toMatch(/Permanently removes resources that the run did not create: .*deleteUnusedImages × \d/);
  expect(out).toContain('Creates at most 7 resources');
});

test.each(['read', 'write'])(
  'of sessions, uploads and what is its own a run with allow: %s removes nothing',
  async (allow) => {
    const file = { ...targetAt('http://127.0.0.1:1'), resources: { sandbox: 'box', function: 'tools' } };
    const rules = onlyThese('mcp.functions.speaks-streamable-http', 'volume-templates.*', 'sandbox.multipart.*');
    const { out } = await planOf(file, '--allow', allow, ...rules);
    expect(out).toMatch(/DELETE \/\{workspace\}\/functions\/\{serverName\}\/mcp +SVC_ADMIN_TOKEN/);
    expect(out.includes('DELETE /volume_templates/{volumeTemplateName}/versions/{versionName}')).toBe(
      allow === 'write',
    );
    expect(out.includes('DELETE /filesystem-multipart/{uploadId}/abort')).toBe(allow === 'write');
    expect(out).not.toContain('Removes for good');
    expect(out.includes('--budget')).toBe(allow === 'write');
  },
);

test('prints how often the named job starts and agents and models are queried', async () => {
  const resources = { agent: 'shop', model: 'prices', job: 'nightly' };
  const file = { ...targetAt('http://127.0.0.1:1'), resources };
  const rules = onlyThese('jobs.*', 'inference.undocumented.*');
  const { out } = await planOf(file, '--allow', 'write', ...rules);
  expect(out).toMatch(/^Starts the named job nightly, which may cost money: createJobExecution × [1-9]\d*\.$/m);
  expect(out).toMatch(
    /^Queries agents and models, which may cost money: queryAgent × \d+, queryModel × \d+, createChatCompletion × \d+\.$/m,
  );
  const reading = await planOf(file, '--allow', 'read', ...rules);
  expect(reading.out).not.toContain('Starts the named job');
  expect(reading.out).toContain('Queries agents and models');
});

test.each([
  ['write', 'If the run cannot create its own agent, it changes shop only if it can be read first'],
  ['destroy', 'If the run cannot create its own agent, it changes shop, even one that cannot be read'],
])('prints what happens to the named agent with allow: %s', async (allow, message) => {
  const { out } = await planOf(
    targetAt('http://127.0.0.1:1'),
    '--allow',
    allow,
    ...onlyThese('agents.update.idempotent'),
  );
  expect(out).toContain(message);
});

test('agents that are not changed are not mentioned', async () => {
  const { out } = await planOf(targetAt('http://127.0.0.1:1'), '--allow', 'destroy', ...onlyThese('vpcs.*'));
  expect(out).toContain('createVpc × ');
  expect(out).not.toContain('it changes');
});

test('a run against a target that responds like the documents sends about the planned number of requests', async () => {
  await using watched = await startRecordingMock();
  const file = targetFile({ ...watched.target, allow: 'read' });
  const words = [
    '--seed',
    '9',
    '--quick',
    ...onlyThese('metrics.enums.*', 'metrics.resolution.hourly-cap', 'versions.header.*'),
  ];
  const { out } = await run(['test', '--plan', '--target', file, ...words]);
  expect(watched.seen).toHaveLength(0);
  await run(['test', '--target', file, ...words]);
  const [, total = ''] = /^([\d,]+) requests in total/m.exec(out) ?? [];
  const estimated = Number(total.replaceAll(',', ''));
  expect(estimated / watched.seen.length).toBeGreaterThan(0.8);
  expect(estimated / watched.seen.length).toBeLessThan(1.25);
});

test('prints requests and durations of the whole run and of --quick, in seconds', async () => {
  const start = performance.now();
  const { out } = await planOf(targetAt('http://127.0.0.1:1'), '--rate', '20');
  expect(performance.now() - start).toBeLessThan(5000);
  expect(out).toContain(
    'Estimated duration by latency of the target (--concurrency 16, at most 20 requests per second)',
  );
  expect(out).toMatch(
    /^ +requests +10 ms +100 ms +300 ms\nall inputs +[\d,]+( +\d+ (s|min)){3}\n--quick +[\d,]+( +\d+ (s|min)){3}$/m,
  );
});

test.each<[string, TargetFile['credentials']]>([
  ['a credential', { admin: { env: 'NOT_SET' } }],
  [
    'a client',
    {
      admin: {
        clientCredentials: { tokenUrl: 'http://127.0.0.1:1/t', id: { value: 'i' }, secret: { env: 'NOT_SET' } },
      },
    },
  ],
])('2 if the variable of %s is not set', async (_, credentials) => {
  const { code, out } = await planOf({
    addresses: { management: 'http://127.0.0.1:1/v0' },
    credentials: credentials ?? {},
  });
  expect(out).toContain('NOT_SET is not set');
  expect(code).toBe(2);
});

test('2 for a plan of a shard, and for a glob that matches nothing', async () => {
  const words = ['test', '--plan', '--base-url', 'http://127.0.0.1:1/v0'];
  expect((await run([...words, '--shard', '1/2'], { cwd: newFolder() })).code).toBe(2);
  expect((await run([...words, '--only', 'nothing.*'])).code).toBe(2);
});
