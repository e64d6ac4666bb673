/** `assay compare`, tried with the real command. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { readJunit } from '../../reports/testing/read-junit.ts';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import { comparisonSchema, type ComparisonReport } from '../../spec/formats/comparison.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { encoded } from '../../suites/generators/tampered-jwt.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';

const DEVIATION = 'agents.update.round-trip/updateAgent.spec.triggers.each.configuration.path.constant';
let mocks: readonly RunningMock[];
let [first, same, other] = ['', '', ''];

beforeAll(async () => {
  mocks = await Promise.all([startMock(), startMock(), startMock({ deviate: [DEVIATION] })]);
  const fileOf = ({ target }: RunningMock, name: string): string =>
    targetFile({ ...(target as TargetFile), name, allow: 'write' });
  first = fileOf(mocks[0]!, 'first');
  same = fileOf(mocks[1]!, 'same');
  other = fileOf(mocks[2]!, 'other');
});
afterAll(async () => {
  await Promise.all(mocks.map((mock) => mock.close()));
});

const tokenOf = ({ target }: RunningMock): string => target.credentials.admin.value;

/** Finds the deviation of `other`. */
const ONLY = ['--only', 'createAgent', '--only', 'updateAgent', '--seed', '5', '--requests', '30'];
const SHORT = ['--seed', '5', '--requests', '25'];
const reportIn = (folder: string): ComparisonReport =>
  comparisonSchema.parse(JSON.parse(readFileSync(path.join(folder, 'compare.json'), 'utf8')));

test('0 without a difference; the recordings of both targets are the same, too', async () => {
  const folder = newFolder();
  const { code, out } = await run(['compare', first, same, ...SHORT, '--explain', '--report', folder]);
  expect([out, code]).toEqual([expect.stringContaining('No difference: first and same, 2'), 0]);
  expect(out).toContain('Different values that count as the same:');
  expect(reportIn(folder)).toMatchObject({ run: { seed: 5, complete: true }, summary: { different: 0 } });
  expect(existsSync(path.join(folder, 'compare.html'))).toBe(true);
  const recordings = ['a', 'b'].map((side) => path.join(folder, side, 'exchanges.ndjson'));
  const again = await run(['compare', ...recordings]);
  expect([again.out, again.code]).toEqual([expect.stringContaining('No difference'), 0]);
});

test('the JUnit report is valid, its cases are the operations, and their times add up to that of the comparison', async () => {
  const folder = newFolder();
  expect((await run(['compare', first, other, ...ONLY, '--report', folder])).code).toBe(1);
  const { run: facts, operations, differences } = reportIn(folder);
  using junit = readJunit(readFileSync(path.join(folder, 'junit.xml'), 'utf8'));
  const values = (query: string): string[] => junit.find(query).map(({ content }) => content);
  expect(values('//testcase/@name')).toEqual(operations.map(({ operation }) => operation));
  const differing = new Set(differences.map(({ operation }) => operation));
  expect(new Set(values('//testcase[failure]/@name'))).toEqual(differing);
  const timeMs = (query: string): number =>
    values(query).reduce((sum, each) => sum + Math.round(1000 * Number(each)), 0);
  const runMs = Date.parse(facts.endedAt) - Date.parse(facts.startedAt);
  expect(runMs).toBeGreaterThan(0);
  expect(['/testsuites/@time', '//testsuite/@time', '//testcase/@time'].map(timeMs)).toEqual([runMs, runMs, runMs]);
});

test('1 with a difference: in two columns, with the broken rule and a script; known ones do not count', async () => {
  const folder = newFolder();
  const { code, out } = await run(['compare', first, other, ...ONLY, '--report', folder]);
  expect([out, code]).toEqual([expect.stringContaining('other breaks agents.update.round-trip'), 1]);
  expect(out).toMatch(/^  first +\| other$/m);
  expect(out).toMatch(/^curl .*\$SVC_ADMIN_TOKEN/m);
  const found = reportIn(folder).differences;
  expect(found.map((each) => each.class)).toContain('b-breaks');
  expect(JSON.stringify(found)).not.toContain(tokenOf(mocks[2]!));

  const known = path.join(newFolder(), 'known.yaml');
  writeFileSync(known, '- {operation: updateAgent, reason: old}\n- {operation: "*", reason: old}\n');
  const accepted = await run(['compare', first, other, ...ONLY, '--known-differences', known]);
  expect([accepted.out, accepted.code]).toEqual([expect.stringMatching(/No difference, \d known difference/), 0]);
  writeFileSync(known, '- {operation: "*", reason: old, expires: 2020-01-01}\n');
  const late = await run(['compare', first, other, ...ONLY, '--known-differences', known]);
  expect([late.out, late.code]).toEqual([expect.stringContaining('that day is over'), 1]);
});

test('--mock compares a mock with a target, and prints its fidelity', async () => {
  const folder = newFolder();
  const { code, out } = await run(['compare', '--mock', first, '--allow', 'read', ...SHORT, '--report', folder]);
  expect([out, code]).toEqual([expect.stringContaining('Fidelity: 100 % ('), 0]);
  expect(out).not.toContain('What keeps it below 100 %');
  const picture = readFileSync(path.join(folder, 'fidelity.svg'), 'utf8');
  expect(picture).toContain('<title>mock and first: 100 % of ');
  expect(picture.match(/>100 %</g)).toHaveLength(reportIn(folder).operations.length);
});

test('--mock prints what keeps the fidelity below 100 %, the largest cause first', async () => {
  const { out } = await run(['compare', '--mock', other, ...ONLY]);
  const [, causes = ''] = out.split('What keeps it below 100 %, by the exchanges that it costs:\n');
  const lines = causes.split('\n').slice(
    0,
    causes.split('\n').findIndex((line) => line.startsWith('Fidelity: ')),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^ +\d+  updateAgent.*: body\.spec\.triggers\[\]\.configuration\.path$/),
  );
  const counts = lines.map((line) => Number.parseInt(line.trim(), 10));
  expect(counts).toEqual(counts.toSorted((one, next) => next - one));
});

test('--plan prints what would be sent, and sends nothing', async () => {
  await using server = await localServer(() => ({}));
  const silent = (name: string, allow: 'read' | 'write'): string =>
    targetFile({ name, addresses: { management: `${server.address}/v0` }, workspace: 'demo', allow });
  const plan = async (...allow: readonly ['read' | 'write', 'read' | 'write']) =>
    run(['compare', silent('one', allow[0]), silent('two', allow[1]), '--plan', ...SHORT]);
  const { code, out } = await plan('write', 'read');
  expect([out, code]).toEqual([
    expect.stringContaining('Plan of a comparison of one and two, allow: read, seed 5.'),
    0,
  ]);
  expect(out).toMatch(/^ +\d+  GET \/\w+/m);
  expect(out).not.toMatch(/^ +\d+  (PUT|DELETE) /m);
  expect(out).toContain('Nothing is created or changed.');
  const writing = await plan('write', 'write');
  expect([writing.out, writing.code]).toEqual([expect.stringMatching(/^ +\d+  (PUT|DELETE) /m), 0]);
  expect(server.received).toEqual([]);
  expect(await run(['compare', 'a.har', 'b.har', '--plan'])).toMatchObject({ code: 2 });
});

test.each([true, false])('--mock has the resources of the target if it lists them: %s', async (hasLists) => {
  await using stranger = await startStranger({ character: 'strict', hasLists });
  const words = [
    'compare',
    '--mock',
    targetFile(stranger.target),
    '--allow',
    'read',
    '--only',
    'listAgents',
    '--requests',
    '4',
  ];
  const { out } = await run(words);
  const own = 'The mock has the world that the target shows: ';
  expect(out).toContain(hasLists ? own : 'The target lists no resources, so the mock has its default world.');
});

test('2 for a wrong use, 3 if a target does not respond', async () => {
  expect(await run(['compare', first])).toEqual({ code: 2, out: expect.stringContaining('Pass two target files or') });
  expect(await run(['compare', first, 'x.har'])).toEqual({ code: 2, out: expect.stringContaining('two of a kind') });
  const gone = targetFile({ name: 'gone', addresses: { management: 'http://127.0.0.1:9/v0' }, workspace: 'demo' });
  const { code, out } = await run(['compare', first, gone]);
  expect([out, code]).toEqual([expect.stringContaining('could not be reached'), 3]);
});

test.each(['read', 'write'])('steps for which a credential has ended are named, with --allow %s', async (allow) => {
  const { target } = mocks[0]!;
  const ended = [encoded({ alg: 'HS256' }), encoded({ exp: Math.floor(Date.now() / 1000) - 60 }), 'c2ln'].join('.');
  const credentials = { ...target.credentials, admin: { value: ended } };
  const file = targetFile({ ...(target as TargetFile), name: 'ended', credentials });
  const { code, out } = await run(['compare', same, file, ...SHORT, '--allow', allow, '--report', newFolder()]);
  expect(out).toMatch(/Not compared: \d+ steps?: credentials\.admin ended at \S+Z, before the run\./);
  expect([out, code]).toEqual([expect.stringContaining('No difference: same and ended, '), 0]);
});
