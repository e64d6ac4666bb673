/** `assay test --oracle prism`, tried with the real command against mocks that conform and one that does not. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { exitCodeOf, sentencesOf } from '../../reports/failure-causes.ts';
import { buildReport } from '../../reports/report.ts';
import { documentText } from '../../spec/documents.ts';
import type { OracleReport } from '../../spec/oracle.ts';
import { readByPrism } from '../../spec/prism/reader.ts';
import type { Report } from '../../spec/verdicts.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { openRun } from '../../suites/engine/open-run.ts';
import { runCase } from '../../suites/engine/run-case.ts';
import { assay, newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import type { Ended } from './testing/assay-process.ts';
import { openTestTarget } from './testing/run-on-target.ts';

const RULE = 'metrics.enums.group-by-values';
const SHAPES = 'resources.shapes.fit-the-schema';
const selection = onlyThese(RULE, 'vpcs.*', 'errors.sandbox.*', SHAPES);

const folder = newFolder();
const inFolder = (name: string): string => path.join(folder, name);
const reportIn = (name: string) => JSON.parse(readFileSync(path.join(inFolder(name), 'report.json'), 'utf8')) as Report;

const flags = (name: string, ...words: string[]): string[] => {
  const always = ['test', '--seed', '7', '--report', inFolder(name)];
  return [...always, ...selection, ...words];
};

describe('a run against a mock that conforms', () => {
  let ended: Ended;
  beforeAll(async () => {
    ended = await run(['mock', '--', process.execPath, assay, ...flags('good', '--oracle', 'prism')]);
  });

  test('is green, and says how many canaries were caught', () => {
    const { oracle } = reportIn('good');
    const { sent, caught } = oracle?.canaries ?? {};
    expect(sent).toBeGreaterThan(500);
    expect(caught).toBe(sent);
    expect(oracle).toMatchObject({ name: 'prism', violations: [], disagreements: [] });
    expect(ended.out.replaceAll(/\s+/g, ' ')).toContain(`Oracle prism: validator self-check ${caught} of ${sent}`);
    expect(ended.code).toBe(0);
  });

  test('accounts for every exchange', () => {
    const { oracle, summary } = reportIn('good');
    const left = Object.values(oracle?.leftOut ?? {}).reduce((sum, count) => sum + count, 0);
    expect(oracle?.checked).toBeGreaterThan(50);
    expect((oracle?.checked ?? 0) + (oracle?.nothingToSay ?? 0) + left).toBe(summary.exchanges);
  });

  test('shows it in the summary and on the page', () => {
    const [summary, page] = ['summary.md', 'report.html'].map((file) =>
      readFileSync(path.join(inFolder('good'), file), 'utf8'),
    );
    expect(summary).toContain('### Oracle');
    expect(page).toContain('"oracle":{"name":"prism"');
  });
});

describe('a run against a mock that breaks the documents', () => {
  let shards: Ended[];
  let merged: Ended;
  beforeAll(async () => {
    await using mock = await startMock({ deviate: [SHAPES] });
    const target = targetFile(mock.target);
    const judged = (shard: number): Promise<Ended> =>
      run(flags(`shard-${shard}`, '--target', target, '--oracle', 'prism', '--shard', `${shard}/2`));
    shards = await Promise.all([judged(1), judged(2)]);
    merged = await run(['merge', inFolder('shard-1'), inFolder('shard-2'), '--report', inFolder('merged')]);
  });

  test('reports the violation by its rule, with an example response and without blame', () => {
    const hasRule = ({ requirements }: Report): boolean => requirements.some(({ id }) => id === SHAPES);
    const index = hasRule(reportIn('shard-1')) ? 0 : 1;
    const { oracle } = reportIn(`shard-${index + 1}`);
    expect(oracle?.violations.map(({ requirement }) => requirement)).toEqual([SHAPES]);
    const [violation] = oracle?.violations ?? [];
    expect(violation?.count).toBeGreaterThan(0);
    expect(violation?.example.curl).toContain('curl -sS');
    expect(violation?.example.prism.length).toBeGreaterThan(0);
    expect(oracle?.disagreements).toEqual([]);
    expect(shards[index]?.code).toBe(1);
  });

  test('shards add up', () => {
    const { oracle: all } = reportIn('merged');
    const oracles = ['shard-1', 'shard-2'].map((name) => reportIn(name).oracle);
    const sum = (of: (oracle: OracleReport) => number): number =>
      oracles.reduce((total, oracle) => total + (oracle === undefined ? 0 : of(oracle)), 0);
    const broken = ({ violations }: OracleReport): number => violations.reduce((total, { count }) => total + count, 0);
    expect(all?.violations.map(({ requirement }) => requirement)).toEqual([SHAPES]);
    expect(all && broken(all)).toBe(sum(broken));
    expect(all?.checked).toBe(sum(({ checked }) => checked));
    expect(all?.nothingToSay).toBe(sum(({ nothingToSay }) => nothingToSay));
    expect(all?.canaries.caught).toBe(sum(({ canaries }) => canaries.sent));
    expect(all?.disagreements).toEqual([]);
    expect(merged.code).toBe(1);
  });
});

test('3 if Prism reads the documents but validates nothing, with a message that names a self-check', async () => {
  const dialect = 'https://spec.openapis.org/oas/3.1/dialect/base';
  const blind = await readByPrism('Svc', (surface) =>
    documentText(surface).replace('https://json-schema.org/draft/2020-12/schema', dialect),
  );
  await using mock = await startMock();
  const target = await openTestTarget(mock.target);
  const opened = openRun({ target, seed: 7, runs: 5, runId: 'blind', oracle: 'prism' }, blind);
  const outcomes = [];
  for (const tried of (await collectCases([RULE])).values()) outcomes.push(await runCase(tried, opened.context));
  await opened.close();
  const facts = { id: 'blind', seed: 7, runs: 5, startedAt: '', endedAt: '', assay: '', shard: null, complete: true };
  const report = buildReport({ run: facts, target, outcomes, selected: [RULE], oracle: 'prism' });
  const { verdict, reason } = report.requirements.find(({ id }) => id === RULE) ?? {};
  expect(`${verdict} ${reason ?? ''}`).toMatch(/^passed/);
  expect(report.oracle?.checked).toBeGreaterThan(0);
  expect(report.oracle?.canaries.caught).toBe(0);
  expect(sentencesOf(report)[0]).toMatch(/^Prism accepted (\d+) of \1 invalid responses.* listAgents 200: wrong type/);
  expect(exitCodeOf(report)).toBe(3);
});

describe('2 for an unknown oracle', () => {
  test('as a flag', async () => {
    const { code, out } = await run(['test', '--base-url', 'http://127.0.0.1:1/v0', '--oracle', 'spectral']);
    expect(out).toContain('Invalid value "spectral" for --oracle: expected one of prism.');
    expect(code).toBe(2);
  });

  test('in assay.config.ts', async () => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, 'assay.config.ts'), `export default { test: { oracle: 'spectral' } };\n`);
    const { code, out } = await run(['test', '--base-url', 'http://127.0.0.1:1/v0'], { cwd });
    expect(out).toContain('test.oracle: "spectral" is not one of prism.');
    expect(code).toBe(2);
  });
});
