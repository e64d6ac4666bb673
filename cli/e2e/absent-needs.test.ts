/**
 * Whatever a target lacks, rules are tried with what it has: those about credentials on a target that admits everyone, and all on
 * one that conforms.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RunningMock } from '../../mock/start-mock.ts';
import { readWorldFile } from '../../mock/world/read-world-file.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { needs } from '../../spec/requirements/requirement.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Report } from '../../spec/verdicts.ts';
import { matchesGlob } from '../../spec/wildcard.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import { changedMetrics, refusing, type Change } from './testing/changed-metrics.ts';
import { runOnTarget } from './testing/run-on-target.ts';
import { isNightly } from './testing/sample-size.ts';

let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ sandboxUrls: 'path' });
});

afterAll(() => mock.close());

/** Forwards every request to a mock on this port as a request of the admin, except those of OAuth. */
async function openGateway(mockPort: string, bearer: string): Promise<http.Server> {
  const gateway = http.createServer((request, response) => {
    const { method, url = '', headers } = request;
    const { 'x-svc-authorization': _, ...others } = headers;
    const asAdmin = url.includes('/oauth/') ? headers : { ...others, authorization: bearer };
    const forwarded = http.request({ port: mockPort, method, path: url, headers: asAdmin }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  return gateway;
}

/** A world of its own, for runs at the same time. */
async function openTarget() {
  const { target, addresses } = await mock.newWorld();
  const { port } = new URL(addresses.management);
  const gateway = await openGateway(port, `Bearer ${target.credentials.admin.value}`);
  const text = JSON.stringify(target).replaceAll(`:${port}`, `:${(gateway.address() as AddressInfo).port}`);
  return {
    target: { ...(JSON.parse(text) as Target), allow: 'destroy' as const },
    [Symbol.dispose]: () => {
      gateway.closeAllConnections();
      gateway.close();
    },
  };
}

type Target = Required<TargetFile>;

/** Those about public agents need nothing but an agent, and take long. */
const rules = requirements
  .filter(({ id, level }) => level === 'must' && id.startsWith('auth.') && !id.startsWith('auth.public-agent.'))
  .map(({ id }) => id);

const acceptances: readonly RequirementId[] = [
  'auth.headers.authorization-accepted-on-every-api',
  'auth.headers.brand-authorization-accepted-on-every-api',
  'auth.schemes.jwt-and-api-key-accepted',
  'auth.scopes.update-agent-accepts-agents-update',
  'auth.scopes.update-agent-accepts-admin',
];

const agentRules = rules.filter((id) => id.includes('update-agent'));

const withoutJwt = rules.filter(
  (id) =>
    id.startsWith('auth.scopes.') ||
    [
      'auth.credentials.expired-refused',
      'auth.forged-tokens.refused',
      'auth.schemes.jwt-and-api-key-accepted',
    ].includes(id),
);

const withoutScopedJwt = rules.filter(
  (id) => id.startsWith('auth.scopes.') && id !== 'auth.scopes.update-agent-accepts-admin',
);

const without = <Of extends object>(object: Of, ...names: string[]): Of =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))) as Of;

interface Absence {
  readonly remove: (target: Target) => TargetFile;
  /** The rules that cannot be tried without it. Default: none. */
  readonly untried?: readonly RequirementId[];
}

const resource = (name: keyof Target['resources']): Absence => ({
  remove: (target) => ({ ...target, resources: without(target.resources, name) }),
});

const credential = (name: keyof Target['credentials'], ...untried: RequirementId[]): Absence => ({
  remove: (target) => ({ ...target, credentials: without(target.credentials, name) }),
  untried,
});

/** Each need of the catalogue, and others. */
const absences: Readonly<Record<keyof typeof needs, Absence> & Record<string, Absence>> = {
  nothing: { remove: (target) => target },
  agent: resource('agent'),
  'mk3-agent': resource('mk3Agent'),
  model: resource('model'),
  function: resource('function'),
  job: resource('job'),
  sandbox: resource('sandbox'),
  volume: resource('volume'),
  connection: resource('connection'),
  integration: resource('integration'),
  'mail-integration': resource('mailIntegration'),
  'preview-token': resource('previewTokens'),
  'template-version': resource('templateVersions'),
  resources: { remove: (target) => without(target, 'resources') },
  admin: credential('admin', 'auth.scopes.update-agent-accepts-admin'),
  'api-key': credential('apiKey', 'auth.schemes.jwt-and-api-key-accepted'),
  member: credential('member'),
  'workspace-admin': credential('workspaceAdmin'),
  'an unrelated token': credential('unrelated'),
  'an expired token': credential('expired', 'auth.credentials.expired-refused'),
  'a token with one scope': credential('scoped', 'auth.scopes.update-agent-accepts-agents-update'),
  client: { remove: (target) => without(target, 'client') },
  'a workspace': { remove: (target) => without(target, 'workspace') },
  'an account': { remove: (target) => without(target, 'account') },
  'an inference address': { remove: (target) => ({ ...target, addresses: without(target.addresses, 'inference') }) },
  'a sandbox address': { remove: (target) => ({ ...target, addresses: without(target.addresses, 'sandbox') }) },
  'an inference and a sandbox address': {
    remove: (target) => ({ ...target, addresses: without(target.addresses, 'inference', 'sandbox') }),
  },
  write: { remove: (target) => ({ ...target, allow: 'read' }), untried: agentRules },
  destroy: { remove: (target) => ({ ...target, allow: 'write' }) },
  jwt: {
    remove: (target) => ({ ...without(target, 'client'), credentials: { apiKey: target.credentials.apiKey! } }),
    untried: withoutJwt,
  },
  noscope: {
    remove: (target) => ({
      ...without(target, 'client'),
      credentials: without(target.credentials, 'unrelated', 'scoped'),
    }),
    untried: withoutScopedJwt,
  },
  'anything but an admin and a workspace': {
    remove: ({ addresses: { management }, workspace, credentials: { admin } }) => ({
      addresses: { management },
      workspace,
      credentials: { admin: admin! },
    }),
    untried: [
      ...agentRules,
      'auth.credentials.expired-refused',
      'auth.data-plane.credential-required',
      'auth.schemes.jwt-and-api-key-accepted',
      'auth.scopes.admin-is-the-default',
    ],
  },
};

test.concurrent.for(Object.entries(absences))(
  'without %s',
  { timeout: 120_000 },
  async ([, { remove, untried = [] }]) => {
    using gateway = await openTarget();
    const outcomes = await runOnTarget(remove(gateway.target), { selected: rules, isQuick: true, patienceSeconds: 30 });
    const verdicts = Object.fromEntries(outcomes.map(({ result: { id, verdict } }) => [id, verdict]));
    const expected = (id: RequirementId) => (acceptances.includes(id) ? 'passed' : 'failed');
    expect(verdicts).toEqual(
      Object.fromEntries(rules.map((id) => [id, untried.includes(id) ? 'not-tried' : expected(id)])),
    );
  },
);

test('an open GET /accounts fails if it is the only operation that is selected, although others are open, too', async () => {
  using gateway = await openTarget();
  const selected = ['auth.forged-tokens.refused', 'auth.management.credential-required'] as const;
  const target = { ...gateway.target, operations: ['listAccounts'] };
  const outcomes = await runOnTarget(target, { selected, isQuick: true });
  const found = outcomes.map(({ result }) => [result.id, result.verdict, result.counterexample?.request?.url]);
  const url = expect.stringMatching(/accounts$/);
  expect(found).toEqual(selected.map((id) => [id, 'failed', url]));
});

test.each(['agents.enabled.false-does-not-serve', 'auth.public-agent.closed-again'] as const)(
  '%s does not pass if only an operation shows its violation that is not selected',
  async (rule) => {
    await using broken = await startMock({ deviate: [rule] });
    const target = { ...broken.target, allow: 'write' as const };
    const resultOf = async (more: Partial<TargetFile>) =>
      (await runOnTarget({ ...target, ...more }, { selected: [rule], isQuick: true }))[0]?.result;
    expect(await resultOf({})).toMatchObject({ verdict: 'failed' });
    const selection = { operations: ['updateAgent'] };
    expect(await resultOf(selection)).toMatchObject({ verdict: 'not-tried', missing: 'operations' });
  },
);

/** Rules that need the workspace or the inference address, because they call workloads. */
const calling = [
  'agents.enabled.false-does-not-serve',
  'auth.public-agent.*',
  'images.cleanup.keeps-images-in-use',
  'inference.*',
  'mcp.functions.*',
  'resources.url.serves-the-agent',
];

const inSandbox = ['errors.sandbox.body-shape', 'mcp.sandboxes.*', 'sandbox.*'];

/** Rules about what writes return or leave behind. */
const writing = [
  'agents.*',
  'auth.public-agent.*',
  'auth.update-agent.*',
  'functions.*',
  'jobs.*',
  'naming.*',
  'resources.envelope.metadata-and-spec',
  'resources.events.*',
  'resources.metadata.*',
  'resources.read-only.never-taken-from-client',
  'resources.status.known-value',
  'resources.timestamps.*',
  'resources.url.*',
  'sandboxes.*',
  'versions.unknown.has-no-effect',
  'volume-templates.*',
  'vpcs.*',
];

/** The must rules that cannot be tried without a thing. Not read from the catalogue, whose needs may be more than a rule needs. */
const untriedWithout: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  agent: [],
  'mk3-agent': [],
  model: ['inference.models.*'],
  function: ['mcp.functions.*'],
  job: ['jobs.*'],
  sandbox: inSandbox,
  volume: ['agents.volumes.mount-path-absolute', 'agents.volumes.region-required'],
  connection: ['functions.*'],
  integration: ['integrations.get.*'],
  'mail-integration': ['integrations.connections.*'],
  'preview-token': [],
  'template-version': [],
  resources: [
    ...inSandbox,
    'agents.volumes.mount-path-absolute',
    'agents.volumes.region-required',
    'functions.*',
    'inference.models.*',
    'integrations.*',
    'jobs.*',
    'mcp.functions.*',
    'sandboxes.*',
  ],
  admin: [
    'accounts.list.gives-account-id',
    'auth.scopes.update-agent-accepts-admin',
    'metrics.roles.admin-may-use-both',
  ],
  'api-key': ['auth.schemes.jwt-and-api-key-accepted'],
  member: [
    'metrics.roles.group-by-workspace-admin-only',
    'metrics.roles.member-may-ask-the-rest',
    'metrics.roles.workspace-filter-admin-only',
  ],
  'workspace-admin': ['metrics.roles.workspace-admin-is-not-account-admin'],
  'an unrelated token': [],
  'an expired token': ['auth.credentials.expired-refused'],
  'a token with one scope': ['auth.scopes.update-agent-accepts-agents-update'],
  client: ['oauth.*'],
  'a workspace': [...calling, 'jobs.*'],
  'an account': [],
  'an inference address': calling,
  'a sandbox address': inSandbox,
  'an inference and a sandbox address': [...calling, ...inSandbox],
  write: [
    ...writing,
    'auth.scopes.update-agent-*',
    'images.cleanup.*',
    'integrations.connections.*',
    'mcp.functions.listed-tools-callable',
    'mcp.functions.tool-inputs-validated',
    'sandbox.multipart.uploads-distinct',
    'sandbox.tree.*',
    'sandbox.watch.*',
  ],
  destroy: ['images.cleanup.*'],
  jwt: [...withoutJwt, 'accounts.list.gives-account-id', 'metrics.roles.*', 'oauth.*'],
  noscope: [...withoutScopedJwt, 'oauth.*'],
  'anything but an admin and a workspace': [
    ...writing,
    ...calling,
    ...inSandbox,
    'auth.credentials.expired-refused',
    'auth.data-plane.credential-required',
    'auth.schemes.jwt-and-api-key-accepted',
    'auth.scopes.*',
    'errors.management.body-shape',
    'images.cleanup.*',
    'integrations.*',
    'metrics.roles.group-by-workspace-admin-only',
    'metrics.roles.member-may-ask-the-rest',
    'metrics.roles.workspace-admin-is-not-account-admin',
    'metrics.roles.workspace-filter-admin-only',
    'oauth.*',
  ],
};

const mustRules: readonly string[] = requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
const matching = (globs: readonly string[]) => mustRules.filter((id) => globs.some((glob) => matchesGlob(id, glob)));

test('the lists of rules name rules that exist', () => {
  const globs = Object.values(untriedWithout).flat();
  expect(globs.filter((glob) => matching([glob]).length === 0)).toEqual([]);
  expect(Object.keys(untriedWithout)).toEqual(Object.keys(absences));
});

/** Each takes half a minute: all every night, otherwise three. */
const absentOnConforming = Object.entries(absences).filter(
  ([name]) => isNightly || ['resources', 'a workspace', 'write'].includes(name),
);

test.for(absentOnConforming)('every rule that does not need it is tried without %s', async ([name, { remove }]) => {
  const { target } = await mock.newWorld();
  const file = remove({ ...(target as Target), allow: 'destroy' });
  const report = newFolder();
  const { code, out } = await run([
    'test',
    '--quick',
    '--target',
    targetFile(file),
    '--report',
    report,
    '--seed',
    '11',
  ]);
  expect({ code, out }).toMatchObject({ code: 0 });
  const { requirements: results } = JSON.parse(readFileSync(path.join(report, 'report.json'), 'utf8')) as Report;
  const found = results.filter(({ level, verdict }) => level === 'must' && verdict !== 'passed');
  const expected = matching(untriedWithout[name]!);
  expect(found.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
});

test('with the file that assay init writes for a server, a list of accounts that needs no credential fails', async () => {
  await using server = await localServer(({ url, headers }) => {
    if (url === '/v0/accounts') return { body: [{ id: 'acc-1', name: 'mine' }] };
    return { status: headers.authorization === undefined ? 401 : 404, body: { error: 'refused' } };
  });
  const options = { cwd: newFolder(), env: { SVC_ADMIN_TOKEN: 'marked-admin' } };
  const written = await run(['init', '--base-url', `${server.address}/v0`], options);
  expect(written).toMatchObject({ code: 0 });
  const rule = 'auth.management.credential-required';
  const { code, out } = await run(['test', '--target', 'assay.target.yaml', ...onlyThese(rule)], options);
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining(`failed ${rule}`) as string });
});

test('a JWT that the client of the target gets is enough for forged tokens', async () => {
  const rule = 'auth.forged-tokens.refused';
  await using deviating = await startMock({ deviate: [`${rule}/accepts-a-token-without-an-algorithm-for-queryagent`] });
  const { target } = deviating;
  const credentials = { apiKey: target.credentials.apiKey };
  const [outcome] = await runOnTarget({ ...target, credentials }, { selected: [rule] });
  expect(outcome?.result).toMatchObject({ verdict: 'failed' });
});

/** A limit that no page can exceed shows nothing, except that it is accepted. */
const limitRules = ['metrics.pagination.limit-clamped', 'metrics.pagination.page-within-limit'];
const fewGroups =
  /more than 100 groups \(from \S+Z to \S+Z, workspace,resource_name,billing_dimension has \d+\): set metrics\.window in the target file to days/;

test.each<[string, Change, string, RegExp]>([
  ['conforms', () => undefined, 'not-tried', fewGroups],
  ['refuses a limit above 100', refusing((query) => Number(query.get('limit')) > 100), 'failed', /status 400/],
])('with fewer groups than fit on a page, on a server that %s', async (_, change, verdict, reason) => {
  const world = await readWorldFile('fixtures/worlds/small.yaml');
  await using small = await startMock({ world });
  await using changed = await changedMetrics(small.target, change);
  const found = await runOnTarget(changed.target, { selected: limitRules as RequirementId[] });
  const results = found.map(({ result }) => result).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(results).toMatchObject([
    { id: limitRules[0], verdict, reason: expect.stringMatching(reason) },
    // Limits that are sent are tried with few groups, too.
    { id: limitRules[1], verdict: 'passed', reason: expect.stringMatching(fewGroups) },
  ]);
});
