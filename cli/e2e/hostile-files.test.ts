/** Reports and ledgers that somebody else wrote: no command prints them raw, and a sweep removes only what a run created. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { FAILED_RULE, sampleReport } from '../../reports/html/sample-run.ts';
import type { Report } from '../../spec/verdicts.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';

/** Colours, a C1 control, text direction, line separators, and commands of GitHub's runner at the start of a line. */
const EVIL =
  'a\u001b[31m\u009b2J\u202eb\u2066\u2028c\n::error::pwned\r\n##[error]pwned\n  ::set-output name=a::pwned\u0007';
const forbidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const report = sampleReport();
const hostile: Report = {
  ...report,
  run: { ...report.run, id: `id${EVIL}`, assay: `0.0.1${EVIL}`, targetFile: EVIL },
  target: { ...report.target, name: EVIL, brand: EVIL, addresses: { management: `http://a/${EVIL}` } },
  requirements: report.requirements.map((result) => ({
    ...result,
    rule: EVIL,
    ...(result.verdict === 'passed' ? {} : { reason: EVIL }),
    ...(result.counterexample && {
      counterexample: { ...result.counterexample, input: { a: EVIL }, expected: EVIL, actual: EVIL, curl: EVIL },
    }),
  })),
  observations: report.observations.map((each) => ({ ...each, what: EVIL, saw: EVIL, value: EVIL })),
  left: [EVIL],
};

function folderOf(content: unknown, name = 'report.json', folder = newFolder()): string {
  writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

const shardOf = (index: number, whole: Report = hostile): string => {
  const facts = { ...whole.run, shard: `${index}/2` };
  const { requirements, observations, target, left } = whole;
  const outcomes = requirements.map((result) => ({
    result,
    observations: observations.filter(({ id }) => id === result.id),
    shapes: { fitted: 0, misfitted: 0, misfits: [] },
    exercised: [],
  }));
  const record = { run: facts, target, outcomes: index === 1 ? outcomes : [], left, shardRules: [] };
  return folderOf(record, 'shard.json', folderOf({ ...whole, run: facts }));
};

/** What a terminal and the runner would interpret. Between stop-commands and its token the runner interprets nothing. */
function interpretedParts(out: string): string[] {
  const outside = out.replaceAll(/^::stop-commands::(\S+)\n[^]*?\n::\1::\n/gm, '');
  const commands = outside
    .split('\n')
    .filter((line) => /^\s*::|##\[/.test(line) && !/^::(error|warning|notice) title=/.test(line));
  return [...commands, ...[...out.replaceAll(/[\n\t]/g, '')].filter((character) => forbidden.test(character))];
}

const inActions = { GITHUB_ACTIONS: 'true' };
const before = folderOf(report);
const after = folderOf(hostile);

test('what would be interpreted is recognized', () => {
  expect(interpretedParts(EVIL).length).toBeGreaterThan(5);
});

test.each([
  ['diff in text', ['diff', before, after]],
  ['diff in JSON', ['diff', before, after, '--format', 'json']],
  ['diff in HTML', ['diff', before, after, '--format', 'html']],
  ['diff of reports without common rules', ['diff', folderOf({ ...report, requirements: [] }), after]],
  ['diff in the other direction', ['diff', after, before]],
  ['diff of a file with an evil name', ['diff', EVIL.replaceAll('\n', ''), after]],
  ['diff of a report with an evil key', ['diff', folderOf({ ...report, run: { [EVIL]: 1 } }), after]],
  ['diff of a report of an evil version', ['diff', folderOf({ report: EVIL }), after]],
  ['diff of what is not JSON', ['diff', folderOf(EVIL), after]],
  ['merge', ['merge', shardOf(1), shardOf(2)]],
  ['merge of different runs', ['merge', shardOf(1), shardOf(2, { ...hostile, run: { ...hostile.run, seed: 9 } })]],
  ['merge of whole runs', ['merge', after, after]],
  ['replay of a rule that is not in the report', ['replay', after, `none${EVIL}`]],
  [
    'replay of a rule that passed',
    ['replay', after, report.requirements.find(({ verdict }) => verdict === 'passed')?.id ?? ''],
  ],
  ['sweep of a folder with an evil name', ['sweep', '--report', EVIL]],
])('%s prints nothing raw', async (_what, words) => {
  const { code, out } = await run(words, { env: inActions });
  expect(interpretedParts(out)).toEqual([]);
  expect(code).toBeLessThan(3);
  expect(out).not.toBe('');
});

test('the plan of a run prints nothing of the target file raw', async () => {
  const target = { name: EVIL, addresses: { management: 'http://127.0.0.1:9/v0' } } as const;
  const { code, out } = await run(['test', '--plan', '--target', targetFile(target)], { env: inActions });
  expect(interpretedParts(out)).toEqual([]);
  expect(code).toBe(0);
});

test('replay prints nothing of the report raw', async () => {
  await using mock = await startMock();
  const words = ['replay', after, FAILED_RULE, '--target', targetFile(mock.target)];
  const { out } = await run(words, { env: inActions });
  expect(out).toContain(String.raw`assay 0.0.1a\u001b[31m`);
  expect(interpretedParts(out)).toEqual([]);
});

const about = { ledger: 1, run: 'evil', pid: 1, host: 'other', startedAt: '2020-01-01T00:00:00Z' };
const ledgerOf = (...lines: object[]): string =>
  folderOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'ledger.ndjson');

test('sweep removes nothing if a removal does not match its creation, and prints nothing raw', async () => {
  await using mock = await startMock();
  const target = mock.target.addresses.management;
  const remove = (agentName: string) => ({ operation: 'deleteAgent', path: { agentName } });
  const folder = ledgerOf(
    { ...about, target },
    { number: 1, created: 'createAgent', name: 'assay-evil-1', removal: remove('demo-agent') },
    { number: 2, created: 'createVpc', name: `assay-evil-${EVIL}`, removal: remove('demo-agent') },
    { number: 3, changed: 'deleteAgent', path: { agentName: 'demo-agent' }, body: {} },
    { number: 4, created: 'createAgent', name: 'demo-agent', removal: remove('demo-agent') },
    {
      number: 5,
      created: 'createAgent',
      name: 'assay-evil-5',
      removal: { ...remove('assay-evil-5'), headers: { Host: EVIL } },
    },
  );
  const words = ['sweep', '--target', targetFile(mock.target), '--report', folder];
  const { code, out } = await run(words, { env: inActions });
  expect(interpretedParts(out)).toEqual([]);
  expect(code).toBe(1);
  expect(out.match(/the removal in the ledger is not that of the resource/g)).toHaveLength(3);
  expect(await mock.requests({ method: 'DELETE' })).toEqual([]);
});

test.each([
  ['of another target', [{ ...about, target: EVIL }], 'belongs to another target'],
  ['of another workspace', [{ ...about, target: 'OWN', workspace: EVIL }], 'belongs to another workspace'],
  [
    'of an evil machine',
    [{ ...about, target: 'OWN', host: EVIL, startedAt: '2999-01-01T00:00:00Z' }],
    'on another machine',
  ],
  [
    'with an unknown operation',
    [
      { ...about, target: 'OWN' },
      { number: 1, created: EVIL },
    ],
    'not a readable ledger: line 2 is not one of a ledger',
  ],
  [
    'with a path that is none',
    [
      { ...about, target: 'OWN' },
      { number: 1, changed: 'updateAgent', path: 7 },
    ],
    'not a readable ledger',
  ],
])('sweep refuses a ledger %s', async (_what, lines, message) => {
  await using mock = await startMock();
  const own = mock.target.addresses.management;
  const folder = ledgerOf(
    ...lines.map((line) => ('target' in line && line.target === 'OWN' ? { ...line, target: own } : line)),
  );
  const { code, out } = await run(['sweep', '--target', targetFile(mock.target), '--report', folder], {
    env: inActions,
  });
  expect(interpretedParts(out)).toEqual([]);
  expect(code).toBeGreaterThan(0);
  expect(out).toContain(message);
});

const special = newFolder();
execFileSync('mkfifo', [path.join(special, 'pipe')]);
writeFileSync(path.join(special, 'huge'), '');
truncateSync(path.join(special, 'huge'), 5 * 2 ** 30);
const levels = Array.from({ length: 9 }, (_, level) => `k${level}: &n${level} [${`*n${level - 1}, `.repeat(10)}]`);
writeFileSync(path.join(special, 'bomb'), `{z: &n-1 x, ${levels.join(', ')}}`);
writeFileSync(path.join(special, 'deep'), '['.repeat(100_000));
writeFileSync(path.join(special, 'utf16'), Buffer.from('a: 1', 'utf16le'));
mkdirSync(path.join(special, 'folder'));

const readers: [string, (file: string) => string[]][] = [
  ['a world', (file) => ['mock', '--port', '0', '--world', file]],
  ['a target', (file) => ['sweep', '--target', file]],
  ['a profile', (file) => ['mock', '--port', '0', '--profile', file]],
  ['known failures', (file) => ['test', '--base-url', 'http://127.0.0.1:9/v0', '--known-failures', file]],
  ['a report', (file) => ['diff', file, file]],
  ['a baseline', (file) => ['lint', '--baseline', file]],
];
const kinds: [string, string][] = [
  ['pipe', 'is a named pipe; expected a file'],
  ['/dev/zero', 'is a device; expected a file'],
  ['huge', 'is larger than'],
  ['bomb', 'if its aliases are expanded'],
  ['deep', 'nested too deeply'],
  ['utf16', 'is encoded in UTF-16; expected UTF-8'],
];

test('a config file that cannot be read safely is refused, by name and reason', async () => {
  const folder = newFolder();
  execFileSync('mkfifo', [path.join(folder, 'assay.config.ts')]);
  const { code, out } = await run(['rules'], { cwd: folder });
  const message = 'assay rules: assay.config.ts is a named pipe; expected a file.\n';
  expect({ code, out }).toEqual({ code: 2, out: message });
});

test.each(readers)('%s that cannot be read safely is refused, by name and reason', async (what, words) => {
  for (const [name, reason] of kinds) {
    const { code, out } = await run(words(name), { cwd: special });
    // A bomb is not JSON.
    const isJsonOnly = ['a profile', 'a report', 'a baseline'].includes(what);
    const expected = name === 'bomb' && isJsonOnly ? /JSON/ : new RegExp(reason);
    expect({ name, code, out }).toEqual({ name, code: 2, out: expect.stringMatching(expected) as string });
    expect(out).toContain(name);
  }
});
