/** A target that refuses made-up values: with samples in its target file everything is tried, without them the reasons name the samples. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RunningMock } from '../../mock/start-mock.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const samples = {
  vpcSpec: { region: 'local', ranges: ['10.0.0.0/16'] },
  callbackUrl: 'https://hooks.example.org/assay/?key=a%2Fb',
  schedule: '15 */6 * * *',
};
const policies = ['demo-policy-2'];

interface Body {
  metadata?: unknown;
  spec?: {
    policies?: unknown;
    triggers?: { configuration?: { callbackUrl?: unknown; schedule?: unknown } }[];
  };
}

/** What a run sent to the strict target, as JSON. */
interface Sent {
  vpcSpecs: Set<string>;
  callbackUrls: Set<string>;
  schedules: Set<string>;
  policies: Set<string>;
}

/** Of the target's own rules, the ones that the body breaks are turned into a mistake that the mock refuses. */
function refusable(method: string, url: string, body: string, sent: Sent): string {
  const { metadata, spec }: Body = isObject(body) ? (JSON.parse(body) as Body) : {};
  if (method === 'POST' && url.endsWith('/vpcs')) {
    sent.vpcSpecs.add(JSON.stringify(spec));
    const isValid = typeof spec !== 'object' || JSON.stringify(spec) === JSON.stringify(samples.vpcSpec);
    return isValid ? body : JSON.stringify({ metadata, spec: 5 });
  }
  if (method !== 'PUT' || !/\/agents\/[^/]+$/.test(url)) return body;
  const triggers = Array.isArray(spec?.triggers) ? spec.triggers : [];
  const configurations = triggers.map((trigger) => trigger?.configuration ?? {});
  for (const { callbackUrl, schedule } of configurations) {
    if (typeof callbackUrl === 'string') sent.callbackUrls.add(callbackUrl);
    if (isFiveFields(schedule)) sent.schedules.add(schedule);
  }
  const names = Array.isArray(spec?.policies) ? (spec.policies as unknown[]) : [];
  for (const name of names) if (typeof name === 'string') sent.policies.add(name);
  const isValid = configurations.every(
    ({ callbackUrl = samples.callbackUrl, schedule = samples.schedule }) =>
      callbackUrl === samples.callbackUrl && (!isFiveFields(schedule) || schedule === samples.schedule),
  );
  return isValid ? body : JSON.stringify({ metadata, spec: { ...spec, enabled: 'refused' } });
}

const isObject = (body: string): boolean => {
  try {
    return /^\s*\{/.test(body) && JSON.parse(body) !== null;
  } catch {
    return false;
  }
};

const isFiveFields = (schedule: unknown): schedule is string =>
  typeof schedule === 'string' && schedule.trim().split(/\s+/).length === 5;

/** Starts the strict target in front of a mock, runs the rules and closes both. */
async function runStrict(edit: (file: TargetFile) => TargetFile) {
  const sent: Sent = { vpcSpecs: new Set(), callbackUrls: new Set(), schedules: new Set(), policies: new Set() };
  await using mock: RunningMock = await startMock({ sandboxUrls: 'path', onlyDocumented: true });
  const inside = mock.addresses.host;
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = refusable(method, url, await text(request), sent);
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const { 'transfer-encoding': _, ...kept } = headers;
    const onward = http.request(new URL(url, inside), { method, headers: { ...kept, ...length } });
    onward.on('response', (received) => {
      response.writeHead(received.statusCode ?? 0, received.headers);
      received.pipe(response);
    });
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const target = JSON.parse(JSON.stringify(mock.target).replaceAll(inside, outside)) as TargetFile;
    const outcomes = await runOnTarget(edit({ ...target, allow: 'destroy' }), { selected, runs: 2 });
    return { outcomes, sent };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const selected = requirements.map(({ id }) => id).filter((id) => /^(?:agents|vpcs)\./.test(id));

const failures = (outcomes: readonly CaseOutcome[]) =>
  outcomes
    .map(({ result }) => result)
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'error')
    .map(({ id, reason, counterexample }) => ({ id, reason, counterexample }));

const reasons = (outcomes: readonly CaseOutcome[]) =>
  new Map(
    outcomes.filter(({ result }) => result.verdict === 'not-tried').map(({ result: { id, reason } }) => [id, reason]),
  );

let withSamples: Awaited<ReturnType<typeof runStrict>>;
let without: Awaited<ReturnType<typeof runStrict>>;
beforeAll(async () => {
  withSamples = await runStrict((file) => ({
    ...file,
    resources: { ...file.resources, policies },
    samples: { ...file.samples, ...samples },
  }));
  without = await runStrict(({ resources: { policies: _, ...resources } = {}, samples: __, ...file }) => ({
    ...file,
    resources,
  }));
});

test('every VPC has the vpcSpec of the target file', () => {
  const { vpcSpecs } = withSamples.sent;
  expect(vpcSpecs).toContain(JSON.stringify(samples.vpcSpec));
  expect(vpcSpecs).not.toContain('{}');
  expect(without.sent.vpcSpecs).toContain('{}');
});

test('every callbackUrl is that of the target file', () => {
  expect([...withSamples.sent.callbackUrls]).toEqual([samples.callbackUrl]);
  expect(without.sent.callbackUrls).toContain('https://example.com/assay');
});

test('every schedule is that of the target file, except one that shows whether others are refused', () => {
  expect([...withSamples.sent.schedules].toSorted()).toEqual(['0 9 * * 1', samples.schedule].toSorted());
});

test('policies are those of the target file', () => {
  expect([...withSamples.sent.policies]).toEqual(policies);
  expect([...without.sent.policies]).toEqual([]);
});

test('with the samples no rule fails, and none lacks one', () => {
  expect(failures(withSamples.outcomes)).toEqual([]);
  expect([...reasons(withSamples.outcomes).values()].filter((reason) => reason?.includes('samples.'))).toEqual([]);
});

test('without them, rules that need a made-up value as a means are not tried and name the sample', () => {
  expect(failures(without.outcomes)).toEqual([]);
  const found = reasons(without.outcomes);
  expect(found.get('vpcs.create.answers-resource')).toContain('samples.vpcSpec');
  expect(found.get('vpcs.create.envelope-required')).toContain('samples.vpcSpec');
  expect(found.get('agents.triggers.schedule-five-fields')).toContain('samples.schedule');
  expect(found.get('agents.triggers.accepted-tasks-returned')).toContain('samples.schedule');
  expect(found.get('agents.triggers.timeout-at-most-900')).toContain('samples.callbackUrl');
  expect(found.get('agents.triggers.callback-secret-is-the-servers')).toMatch(
    /samples\.callbackUrl.*samples\.schedule/,
  );
});
