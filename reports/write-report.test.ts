import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report, Verdict } from '../spec/verdicts.ts';
import { FAILED_RULE, HOSTILE, HOSTILE_RULE, sampleReport, writeSampleRun } from './html/sample-run.ts';
import { toBadge } from './badge.ts';
import { writeHar } from './har.ts';
import { writeReport } from './write-report.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-forms-'));
const report = sampleReport();
const { run, target } = report;

interface Har {
  log: {
    version: string;
    entries: {
      startedDateTime: string;
      request: { method: string; queryString: { name: string; value: string }[]; headers: { name: string }[] };
      response: { status: number; statusText: string; content: { text?: string; size: number }; _error?: string };
      comment: string;
    }[];
  };
}
const har = (): Har => JSON.parse(readFileSync(path.join(folder, 'exchanges.har'), 'utf8')) as Har;

beforeAll(async () => {
  await writeSampleRun(folder);
  await writeReport(report, { run, target, outcomes: [] }, folder, { har: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the folder contains every format', () => {
  expect(readdirSync(folder).sort()).toEqual([
    'badge.json',
    'exchanges.har',
    'exchanges.ndjson',
    'junit.xml',
    'observations.json',
    'report.html',
    'report.json',
    'summary.md',
  ]);
});

test('a report has a HAR file only on request', async () => {
  const own = mkdtempSync(path.join(folder, 'own-'));
  await writeReport(report, { run, target, outcomes: [] }, own);
  expect(readdirSync(own)).not.toContain('exchanges.har');
});

test('the HAR has every exchange in order', () => {
  const { version, entries } = har().log;
  expect(version).toBe('1.2');
  expect(entries).toHaveLength(2 * report.requirements.length + 1);
  const instants = entries.map(({ startedDateTime }) => startedDateTime);
  expect(instants).toEqual([...new Set(instants)].sort());
  const failed = entries.find(({ comment }) => comment === FAILED_RULE);
  expect(failed?.request).toMatchObject({
    method: 'GET',
    queryString: [{ name: 'startTime', value: '2026-11-14T00%3A00%3A00Z' }, { name: 'endTime' }],
    headers: [{ name: 'accept' }],
  });
  expect(failed?.response).toMatchObject({ status: 200, statusText: 'OK' });
  const hostile = entries.find(({ comment }) => comment === HOSTILE_RULE)?.response.content.text ?? '';
  expect(JSON.parse(hostile)).toEqual({ error: HOSTILE, [HOSTILE]: 1 });
});

const hostile = `${HOSTILE}\u009B31m\u{E0041}\n::error::injected\n  ::add-mask::a\r\n`;

/** Every text that a target or a user decides. */
const hostileReport: Report = {
  ...report,
  target: { ...report.target, name: hostile, addresses: { management: hostile } },
  requirements: report.requirements.map((result) => ({
    ...result,
    ...(result.reason !== undefined && { reason: hostile }),
    ...(result.counterexample && {
      counterexample: {
        ...result.counterexample,
        input: { [hostile]: hostile },
        expected: hostile,
        actual: hostile,
        curl: `curl '${hostile}'`,
      },
    }),
  })),
  observations: report.observations.map((each) => ({ ...each, what: hostile, saw: hostile })),
};

test('hostile text is inert in every format', async () => {
  const own = mkdtempSync(path.join(folder, 'own-'));
  await writeReport(hostileReport, { run, target, outcomes: [] }, own);
  const files = readdirSync(own);
  expect(files).toEqual(expect.arrayContaining(['junit.xml', 'summary.md', 'report.html', 'badge.json']));
  const contents = files.map((file) => readFileSync(path.join(own, file), 'utf8'));
  // No escape reaches a terminal that a file is printed on; the data of .json files is as it was.
  const marks = ['\u001B', '\r', '\u009B', '\u202E', '\u{E0041}'];
  for (const content of contents) expect(marks.filter((mark) => content.includes(mark))).toEqual([]);
  expect(JSON.parse(readFileSync(path.join(own, 'report.json'), 'utf8'))).toEqual(hostileReport);
});

const exchange = {
  number: 1,
  request: { method: 'PUT', url: 'no address', headers: { 'content-type': 'text/plain', a: ['1', '2'] }, body: 'é' },
  answer: null,
  failure: 'the connection broke',
  durationMs: 2,
  findings: [],
};

test('a request without a response is kept, a truncated line is skipped', async () => {
  const own = mkdtempSync(path.join(folder, 'own-'));
  const line = JSON.stringify(exchange);
  writeFileSync(path.join(own, 'exchanges.ndjson'), `${line}\n${line.slice(0, 30)}`);
  await writeHar(report, own);
  const { log } = JSON.parse(readFileSync(path.join(own, 'exchanges.har'), 'utf8')) as Har;
  expect(log.entries).toHaveLength(1);
  expect(log.entries[0]).toMatchObject({
    request: {
      postData: { mimeType: 'text/plain', text: 'é' },
      bodySize: 2,
      queryString: [],
      headers: [{ name: 'content-type' }, { name: 'a', value: '1' }, { name: 'a', value: '2' }],
    },
    response: { status: 0, _error: 'the connection broke' },
  });
});

test.each([
  [
    '/a?groupBy=a%2Cb&x=1+2&x=',
    [
      { name: 'groupBy', value: 'a%2Cb' },
      { name: 'x', value: '1%202' },
      { name: 'x', value: '' },
    ],
  ],
  [
    '/a?b&c=d=e#?f=1',
    [
      { name: 'b', value: '' },
      { name: 'c', value: 'd=e' },
    ],
  ],
  ['/a?limit=%&cursor=%zz&=1&&b=%C3%A9', [{ name: 'b', value: '%C3%A9' }]],
  ['/a', []],
])('the HAR has the query of %s as in the URL, without what consumers misread', async (pathAndQuery, queryString) => {
  const own = mkdtempSync(path.join(folder, 'own-'));
  const url = `http://127.0.0.1:4010${pathAndQuery}`;
  const line = JSON.stringify({ ...exchange, request: { ...exchange.request, url } });
  writeFileSync(path.join(own, 'exchanges.ndjson'), `${line}\n`);
  await writeHar(report, own);
  const { log } = JSON.parse(readFileSync(path.join(own, 'exchanges.har'), 'utf8')) as Har;
  expect(log.entries[0]?.request).toMatchObject({ url, queryString });
});

test('the HAR has the times of requests, and of older files only the order', async () => {
  const own = mkdtempSync(path.join(folder, 'own-'));
  const lines = [{ ...exchange, startedAt: Date.UTC(2026, 10, 28, 1, 2, 3, 4) }, exchange].map((each) =>
    JSON.stringify(each),
  );
  writeFileSync(path.join(own, 'exchanges.ndjson'), lines.join('\n'));
  await writeHar(report, own);
  const { log } = JSON.parse(readFileSync(path.join(own, 'exchanges.har'), 'utf8')) as Har;
  expect(log.entries.map(({ startedDateTime }) => startedDateTime)).toEqual([
    '2026-11-28T01:02:03.004Z',
    new Date(Date.parse(run.startedAt) + exchange.number).toISOString(),
  ]);
});

test('a run without exchanges has a HAR without entries', async () => {
  const own = mkdtempSync(path.join(folder, 'own-'));
  await writeHar(report, own);
  const { log } = JSON.parse(readFileSync(path.join(own, 'exchanges.har'), 'utf8')) as Har;
  expect(log.entries).toEqual([]);
});

const withEvery = (verdict: Verdict): Report => ({
  ...report,
  knownFailures: [],
  requirements: report.requirements.slice(0, 2).map((result) => ({ ...result, level: 'must', verdict })),
  summary: { ...report.summary, knownFailure: verdict === 'known-failure' ? 2 : 0 },
});

test.each<[string, Report, string, RegExp]>([
  ['failed', report, 'red', /^2 failed$/],
  ['interrupted', { ...report, run: { ...run, complete: false } }, 'orange', /^interrupted$/],
  ['broken by the harness', withEvery('error'), 'orange', /^2 errors$/],
  ['green', withEvery('passed'), 'brightgreen', /^2 of 2 rules tried$/],
  ['green but for what is known', withEvery('known-failure'), 'yellowgreen', /2 known/],
  ['of nothing', withEvery('not-tried'), 'red', /^nothing tried$/],
])('the badge of a run that is %s', (_name, given, color, message) => {
  expect(JSON.parse(toBadge(given))).toEqual({
    schemaVersion: 1,
    label: 'conformance',
    color,
    message: expect.stringMatching(message) as string,
  });
});
