/** `assay replay` tries a failed case again, tried with the real command. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ca, client } from '../../fixtures/tls/index.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Report } from '../../spec/verdicts.ts';
import { assay, newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import { tlsFront } from './testing/tls-front.ts';

const RULE = 'metrics.resolution.hourly-cap';
const SHAPES = 'resources.shapes.fit-the-schema';
const folder = newFolder();
/** The target file and the output of the run. */
const givenFile = path.join(folder, 'target.json');
let output = '';
const inFolder = (name: string): string => path.join(folder, name);
const report = inFolder('report');
const replay = (id: string, target: TargetFile, ...words: string[]) =>
  run(['replay', report, id, '--target', targetFile(target), ...words]);

beforeAll(async () => {
  await using mock = await startMock({ deviate: [RULE, SHAPES] });
  writeFileSync(givenFile, JSON.stringify({ ...mock.target, allow: 'read' }));
  const only = onlyThese(RULE, SHAPES, 'metrics.resolution.explicit-echoed');
  const words = ['--target', givenFile, '--allow', 'write', '--report', report, '--seed', '3', '--runs', '20', ...only];
  output = (await run(['test', ...words])).out;
});

const written = (): Report => JSON.parse(readFileSync(path.join(report, 'report.json'), 'utf8')) as Report;

test('on a target with the same fault it fails again, with the same counterexample', async () => {
  await using mock = await startMock({ deviate: [RULE] });
  const { code, out } = await replay(RULE, mock.target);
  const counterexample = written().requirements.find(({ id }) => id === RULE)?.counterexample;
  expect(out).toContain(`failed ${RULE}`);
  expect(out.replace(/\s+/g, ' ')).toContain(`expected ${counterexample?.expected} actual ${counterexample?.actual}`);
  expect(out).toContain(`Seed ${counterexample?.seed}, at `);
  expect(out).toContain('curl -sS');
  expect(code).toBe(1);
});

test('a replay that tests another input than the report says so', async () => {
  await using mock = await startMock();
  const message = 'This is not the input of the report';
  const { code, out } = await replay(RULE, mock.target);
  expect([code, out.includes(message)]).toEqual([0, false]);
  const changed = inFolder('changed');
  const requirements = written().requirements.map(({ counterexample, ...each }) => ({
    ...each,
    ...(counterexample && { counterexample: { ...counterexample, input: { another: 'input' } } }),
  }));
  mkdirSync(changed);
  writeFileSync(path.join(changed, 'report.json'), JSON.stringify({ ...written(), requirements }));
  const again = await run(['replay', changed, RULE, '--target', targetFile(mock.target)]);
  expect(again.out).toContain(message);
});

test('a shrunk input of a fixed list is replayed as it is in the report', async () => {
  const rule = 'agents.update.round-trip';
  await using mock = await startMock({ deviate: [rule] });
  const shrunk = inFolder('shrunk');
  const target = targetFile({ ...mock.target, allow: 'write' });
  await run(['test', '--target', target, '--report', shrunk, '--seed', '3', ...onlyThese(rule)]);
  const { requirements } = JSON.parse(readFileSync(path.join(shrunk, 'report.json'), 'utf8')) as Report;
  const found = requirements.find(({ id }) => id === rule)?.counterexample;
  expect(found).toMatchObject({ shrinking: 'finished', path: expect.stringContaining(':') as string });
  expect(JSON.stringify(found?.request).length).toBeLessThan(600);
  const { out, code } = await run(['replay', shrunk, rule, '--target', target]);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`expected ${found?.expected} actual ${found?.actual}`);
  expect(code).toBe(1);
});

test('a replay without flags connects as the target file of the run says, and may write as that run might', async () => {
  const rule = 'agents.update.round-trip';
  await using mock = await startMock({ deviate: [rule] });
  await using front = await tlsFront(mock.addresses.host ?? '');
  const { account = '', workspace = '', credentials, resources = {} } = mock.target;
  const target = targetFile({
    addresses: { management: `https://127.0.0.1:${front.port}/v0` },
    tls: { ca, ...client },
    account,
    workspace,
    credentials: { admin: credentials.admin },
    resources,
    allow: 'read',
  });
  const cwd = newFolder();
  const words = ['--target', target, '--seed', '3', ...onlyThese(rule), '--report', 'mine'];
  expect(await run(['test', ...words, '--allow', 'write'], { cwd })).toMatchObject({ code: 1 });
  const failsAgain = { code: 1, out: expect.stringContaining(`failed ${rule}`) as string };
  const mayNotWrite = {
    code: 2,
    out: expect.stringMatching(/cannot be tried on this target: missing write/) as string,
  };
  expect(await run(['replay', 'mine', rule], { cwd })).toMatchObject(failsAgain);
  expect(await run(['replay', 'mine', rule, '--allow', 'read'], { cwd })).toMatchObject(mayNotWrite);
  const named = path.relative(cwd, target);
  expect(await run(['replay', 'mine', rule], { cwd, env: { ASSAY_TARGET: named } })).toMatchObject(failsAgain);
  expect(await run(['replay', 'mine', rule, '--target', named], { cwd })).toMatchObject(failsAgain);
  // Another file may be about another deployment, which only its own file or a flag lets the replay change.
  const other = targetFile(JSON.parse(readFileSync(target, 'utf8')) as TargetFile);
  expect(await run(['replay', 'mine', rule], { cwd, env: { ASSAY_TARGET: other } })).toMatchObject(mayNotWrite);
  // So may the same file after a change.
  const moved = readFileSync(target, 'utf8').replace('https://127.0.0.1:', 'https://localhost:');
  writeFileSync(target, moved);
  expect(await run(['replay', 'mine', rule], { cwd })).toMatchObject(mayNotWrite);
});

test('the printed command has the target file and the allow level, and can be pasted', async () => {
  const [, words = ''] = /replay +npx --no assay (replay .* --target .*)/.exec(output) ?? [];
  const [, , rule] = words.split(' ');
  expect(words).toBe(`replay ${report} ${rule} --target ${givenFile} --allow write`);
  await using mock = await startMock({ deviate: [RULE, SHAPES] });
  writeFileSync(givenFile, JSON.stringify({ ...mock.target, allow: 'read' }));
  const { code, out } = await run(words.split(' '));
  expect(out).toContain(`failed ${rule}`);
  expect(code).toBe(1);
});

test.each(['<(cat "$2")', '/dev/stdin < "$2"'])(
  'a target given as %s cannot be read again, and is not named',
  async (given) => {
    await using mock = await startMock({ deviate: [RULE] });
    const script = `"$0" "$1" test --target ${given} --only ${RULE} --runs 20 --seed 3 --report "$3" || true`;
    const words = [process.execPath, assay, targetFile(mock.target), inFolder('unnamed')];
    const { stdout } = await promisify(execFile)('bash', ['-c', script, ...words]);
    expect(stdout).toMatch(/replay +npx --no assay replay .* --target FILE/);
  },
);

describe('a run beside a mock', () => {
  const cwd = newFolder();
  const nested = ['--', process.execPath, assay];
  const beside = (flags: readonly string[], ...words: string[]) =>
    run(['mock', ...flags, ...nested, ...words], { cwd });
  const words = ['test', ...onlyThese(RULE, 'sandbox.tree.nested-directories'), '--quick', '--report', 'beside'];
  const printed = `npx --no assay mock --seed 7 --deviate ${RULE} -- npx --no assay replay beside ${RULE} --allow write\n`;

  test('prints a command that starts the mock again, and not what is gone with the mock', async () => {
    const flags = ['--seed', '7', '--deviate', RULE];
    const { code, out } = await beside(flags, ...words);
    expect(code).toBe(1);
    expect(out).toContain(printed);
    expect(out).not.toMatch(/Not removed|assay sweep/);
    expect(readdirSync(path.join(cwd, 'beside'))).not.toContain('ledger.ndjson');
    const again = await beside(flags, 'replay', 'beside', RULE, '--allow', 'write');
    expect(again.code).toBe(1);
    const withoutTarget = await run(['replay', 'beside', RULE], { cwd });
    expect(withoutTarget.code).toBe(2);
    expect(withoutTarget.out).toContain(`For a report about a mock: ${printed}`);
  });

  test('lists what is left if the mock keeps its state', async () => {
    const { out } = await beside(['--state', 'mock.db'], ...words);
    expect(out).toMatch(/^Not removed: .* \(created by writeTree\)/m);
    expect(out).toContain('npx --no assay mock --state mock.db -- npx --no assay sweep --report beside --forget');
  });

  test('lists what is left at another target', async () => {
    await using mock = await startMock();
    const { out } = await beside([], ...words, '--target', targetFile(mock.target));
    expect(out).toMatch(/^Not removed: .* \(created by writeTree\)/m);
    expect(out).toContain('npx --no assay sweep --target');
  });
});

test('on another target, without the fault, it passes', async () => {
  await using mock = await startMock();
  const file = targetFile(mock.target);
  const { code, out } = await run(['replay', path.join(report, 'report.json'), RULE], { env: { ASSAY_TARGET: file } });
  expect(out).toContain(`passed ${RULE}`);
  expect(out).toContain(`${RULE} no longer fails; in the report: `);
  expect(code).toBe(0);
});

test('a misfit that another case had seen is seen again', async () => {
  await using faulty = await startMock({ deviate: [SHAPES] });
  expect((await replay(SHAPES, faulty.target)).code).toBe(1);
  await using sound = await startMock();
  expect((await replay(SHAPES, sound.target)).code).toBe(0);
});

test.each<[string, string, string]>([
  ['a rule that did not fail', 'versions.listed.accepted-everywhere', 'nothing to replay'],
  ['an unknown rule', 'metrics.no.such-rule', 'has no rule'],
])('2 for %s', async (_, id, message) => {
  const { code, out } = await run(['replay', report, id]);
  expect(out).toContain(message);
  expect(code).toBe(2);
});

test('2 for a file that is not a report, 3 if nothing listens at the target of the report or of a flag', async () => {
  expect((await run(['replay', inFolder('nowhere'), RULE])).code).toBe(2);
  expect((await run(['replay', report, RULE])).code).toBe(3);
  expect((await run(['replay', report, RULE, '--base-url', 'http://127.0.0.1:1/v0'])).code).toBe(3);
});
