/** Merged shards give the same report as the whole run; tests the real commands. */
import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import type { ExchangeRecord, Report } from '../../spec/verdicts.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import type { Ended } from './testing/assay-process.ts';

const COUNT = 4;
const globs = ['metrics.resolution.hourly-cap', 'metrics.enums.*', 'versions.*', 'vpcs.*', 'resources.*', 'accounts.*'];
const selection = onlyThese(...globs);
// A deviation that one case detects, and one that only the responses of all cases reveal.
const FAULTS = ['metrics.resolution.hourly-cap', 'resources.shapes.fit-the-schema'];

const reportIn = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Report;
const verdictsOf = ({ requirements: results }: Report) =>
  Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));

const folder = newFolder();
const inFolder = (name: string): string => path.join(folder, name);
const shardFolders = Array.from({ length: COUNT }, (_, index) => inFolder(`shard-${index + 1}`));
let whole: Ended;
let shards: Ended[];
let merged: Ended;

beforeAll(async () => {
  await using mock = await startMock({ deviate: FAULTS });
  const target = targetFile(mock.target);
  const judged = (report: string, ...words: string[]): Promise<Ended> =>
    run([
      'test',
      '--target',
      target,
      '--seed',
      '7',
      '--runs',
      '2',
      '--report',
      report,
      '--exchanges',
      'all',
      ...selection,
      ...words,
    ]);
  whole = await judged(inFolder('whole'));
  shards = await Promise.all(shardFolders.map((report, index) => judged(report, '--shard', `${index + 1}/${COUNT}`)));
  merged = await run(['merge', ...shardFolders.toReversed(), '--report', inFolder('merged')]);
});

test('the verdicts and the exit code are those of the whole run', () => {
  const [of, ofWhole] = [reportIn(inFolder('merged')), reportIn(inFolder('whole'))];
  expect(verdictsOf(of)).toEqual(verdictsOf(ofWhole));
  expect(Object.values(verdictsOf(of)).filter((verdict) => verdict === 'failed').length).toBeGreaterThanOrEqual(2);
  expect({ whole: whole.code, merged: merged.code }).toEqual({ whole: 1, merged: 1 });
  expect(of.run).toMatchObject({ seed: 7, runs: 2, shard: null, complete: true });
});

test('every shard reports its own rules, and its number', () => {
  const reports = shardFolders.map(reportIn);
  expect(reports.map(({ run: { shard } }) => shard)).toEqual(['1/4', '2/4', '3/4', '4/4']);
  expect(new Set(reports.map(({ run: { id } }) => id)).size).toBe(COUNT);
  const ids = reports.flatMap((report) => report.requirements.map(({ id }) => id));
  expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  expect(reports.filter(({ summary }) => summary.exchanges > 0)).toHaveLength(COUNT);
  expect(shards.map(({ code }) => code)).toContain(1);
});

test('their exchanges are in one file, numbered through', () => {
  const numbersIn = (file: string): number[] =>
    readFileSync(path.join(file, 'exchanges.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as ExchangeRecord).number);
  const all = shardFolders.flatMap(numbersIn);
  expect(numbersIn(inFolder('merged'))).toEqual(all.map((_, index) => index + 1));
  // Over all its files a run counts on. An exchange of which another rule shows a mistake is written again.
  const numbers = [...new Set(numbersIn(inFolder('whole')))].toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test('a shard killed in the middle of a line is merged, and the skipped line is reported', async () => {
  const [first = '', ...others] = shardFolders;
  const killed = inFolder('killed');
  cpSync(first, killed, { recursive: true });
  appendFileSync(path.join(killed, 'exchanges.ndjson'), '{"number":');
  const { code, out } = await run(['merge', killed, ...others, '--report', inFolder('merged-killed')]);
  expect(out).toMatch(/Skipped 1 truncated line of .*exchanges\.ndjson\./);
  expect({ code, verdicts: verdictsOf(reportIn(inFolder('merged-killed'))) }).toEqual({
    code: merged.code,
    verdicts: verdictsOf(reportIn(inFolder('merged'))),
  });
});

test.each<[string, string[], string]>([
  ['a missing shard', shardFolders.slice(1), 'Missing: shard 1/4'],
  ['a whole run', [inFolder('whole')], 'whole run'],
  ['a folder that is not there', [inFolder('nowhere')], 'nowhere'],
  ['no folder', [], 'dir'],
])('2 for %s', async (_, words, message) => {
  const { code, out } = await run(['merge', ...words, '--report', inFolder('refused')]);
  expect(out).toContain(message);
  expect({ code, written: existsSync(inFolder('refused')) }).toEqual({ code: 2, written: false });
});

test.each(['0/4', '5/4', '1', '1/0', 'a/b'])('2 for --shard %s', async (shard) => {
  const { code, out } = await run(['test', '--base-url', 'http://127.0.0.1:1/v0', '--shard', shard]);
  expect(out).toContain(`"${shard}"`);
  expect(code).toBe(2);
});

test('the case of every rule is in the file that its id names, from which a shard knows its rules', () => {
  const misplaced = requirements
    .map(({ id }) => id)
    .filter((id) => {
      const file = path.join(import.meta.dirname, '../..', 'suites', `${suiteFileOf(id)}.ts`);
      return !existsSync(file) || !readFileSync(file, 'utf8').includes(`'${id}'`);
    });
  expect(misplaced).toEqual([]);
});
