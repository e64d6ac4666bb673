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
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Report } from '../../spec/verdicts.ts';
import { firstUnmetNeed } from '../../suites/engine/needs.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';
import { openTestTarget, runOnTarget } from './testing/run-on-target.ts';
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
    target: { ...(JSON.parse(text) as Target), allow: 'write' as const },
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

const absences: Readonly<Record<string, Absence>> = {
  nothing: { remove: (target) => target },
  'an agent': resource('agent'),
  'an mk3 agent': resource('mk3Agent'),
  'a model': resource('model'),
  'a function': resource('function'),
  'a job': resource('job'),
  'a sandbox': resource('sandbox'),
  'a volume': resource('volume'),
  'a connection': resource('connection'),
  'an integration': resource('integration'),
  'a mail integration': resource('mailIntegration'),
  'preview tokens': resource('previewTokens'),
  'template versions': resource('templateVersions'),
  resources: { remove: (target) => without(target, 'resources') },
  'an admin': credential('admin', 'auth.scopes.update-agent-accepts-admin'),
  'an API key': credential('apiKey', 'auth.schemes.jwt-and-api-key-accepted'),
  'a member': credential('member'),
  'a workspace admin': credential('workspaceAdmin'),
  'an unrelated token': credential('unrelated'),
  'an expired token': credential('expired', 'auth.credentials.expired-refused'),
  'a token with one scope': credential('scoped', 'auth.scopes.update-agent-accepts-agents-update'),
  'an OAuth client': { remove: (target) => without(target, 'client') },
  'a workspace': { remove: (target) => without(target, 'workspace') },
  'an account': { remove: (target) => without(target, 'account') },
  'an inference address': { remove: (target) => ({ ...target, addresses: without(target.addresses, 'inference') }) },
  'a sandbox address': { remove: (target) => ({ ...target, addresses: without(target.addresses, 'sandbox') }) },
  'write access': { remove: (target) => ({ ...target, allow: 'read' }), untried: agentRules },
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
    const outcomes = await runOnTarget(remove(gateway.target), { selected: rules, isQuick: true, patienceSeconds: 5 });
    const verdicts = Object.fromEntries(outcomes.map(({ result: { id, verdict } }) => [id, verdict]));
    const expected = (id: RequirementId) => (acceptances.includes(id) ? 'passed' : 'failed');
    expect(verdicts).toEqual(
      Object.fromEntries(rules.map((id) => [id, untried.includes(id) ? 'not-tried' : expected(id)])),
    );
  },
);

/** Rules that call workloads, whose addresses contain the workspace. */
const calling: readonly RequirementId[] = [
  'agents.enabled.false-does-not-serve',
  'auth.public-agent.open-when-public',
  'auth.public-agent.closed-again',
  'auth.public-agent.never-on-mk2',
  'inference.agents.answers',
  'inference.agents.threads-separate',
  'inference.agents.no-thread-no-memory',
  'inference.models.answers',
  'inference.models.chat-completions',
  'mcp.functions.speaks-streamable-http',
  'mcp.functions.listed-tools-callable',
  'mcp.functions.unknown-method',
  'mcp.functions.parse-error',
  'mcp.functions.version-header-checked',
  'mcp.functions.unknown-tool',
  'mcp.functions.tool-inputs-validated',
  'resources.url.serves-the-agent',
];

/** Rules about responses to updates and creations. */
const changing: readonly RequirementId[] = [
  'resources.envelope.metadata-and-spec',
  'resources.events.record-shape',
  'resources.status.known-value',
  'resources.url.present-on-workloads',
];

/** Rules that need what they do not declare: one of several things is enough, or the traffic of others can be judged without it. */
const undeclared: Readonly<Record<string, readonly RequirementId[]>> = {
  'a workspace': [...calling, 'jobs.executions.accepted'],
  'an inference address': calling,
  'a sandbox': ['sandboxes.preview-tokens.deleted-once'],
  'write access': [...changing, 'sandbox.multipart.uploads-distinct'],
  'anything but an admin and a workspace': [...changing, ...calling, 'errors.management.body-shape'],
};

const mustRules = requirements.filter(({ level }) => level === 'must');

/** Each takes half a minute: all every night, otherwise three. */
const absentOnConforming = Object.entries(absences).filter(
  ([name]) => isNightly || ['resources', 'a workspace', 'write access'].includes(name),
);

test.for(absentOnConforming)(
  'every rule that does not need it is tried without %s',
  async ([name, { remove, untried = [] }]) => {
    const { target } = await mock.newWorld();
    const file = remove({ ...(target as Target), allow: 'write' });
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
    const opened = await openTestTarget(file);
    const needing = mustRules.filter((rule) => firstUnmetNeed(rule, opened) !== undefined).map(({ id }) => id);
    const found = results.filter(({ level, verdict }) => level === 'must' && verdict !== 'passed');
    const expected = new Set([...needing, ...untried, ...(undeclared[name] ?? [])]);
    expect(found.map(({ id }) => id).toSorted()).toEqual([...expected].toSorted());
  },
);

test('a JWT that the client of the target gets is enough for forged tokens', async () => {
  const rule = 'auth.forged-tokens.refused';
  await using deviating = await startMock({ deviate: [`${rule}/accepts-a-token-without-an-algorithm-for-queryagent`] });
  const { target } = deviating;
  const credentials = { apiKey: target.credentials.apiKey };
  const [outcome] = await runOnTarget({ ...target, credentials }, { selected: [rule] });
  expect(outcome?.result).toMatchObject({ verdict: 'failed' });
});
