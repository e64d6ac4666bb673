import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { ExchangeRecord, Report } from '../../spec/verdicts.ts';
import { selectExchanges } from './select-exchanges.ts';
import { FAILED_RULE, HOSTILE, METRICS_RULE, sampleReport, writeSampleRun } from './sample-run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

const elements = (html: string): string[] => [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);

test('the page allows its scripts by hash, and contains no URL', async () => {
  const html = readFileSync(await writeSampleRun(path.join(folder, 'run')), 'utf8');
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/,
  );
  const code = /<script>(.*)<\/script>\s*<\/body>/s.exec(html)?.[1] ?? '';
  expect(policy).toContain(createHash('sha256').update(code).digest('base64'));
  expect(html).not.toMatch(/<[^>]+\s(?:src|href)="/);
});

test('no string of a report ends its element', async () => {
  const html = readFileSync(await writeSampleRun(path.join(folder, 'hostile')), 'utf8');
  const blocks = elements(html).filter((tag) => tag.includes('application/json'));
  expect(elements(html)).toEqual([...blocks, '<script>']);
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script/g)).toHaveLength(elements(html).length);
  const [data] = /(?<=id="report">)[^<]+/.exec(html) ?? [''];
  expect((JSON.parse(data) as { report: Report }).report.target.name).toBe(`staging ${HOSTILE}`);
});

const line = (number: number, requirement: string, body: string, url = 'http://a/'): string =>
  JSON.stringify({
    number,
    requirement,
    request: { method: 'GET', url, headers: { accept: 'application/json' }, body: null },
    answer: { status: 200, headers: {}, body },
    durationMs: 1,
    findings: [],
  } satisfies Record<
    keyof Omit<ExchangeRecord, 'operation' | 'credential' | 'failure' | 'startedAt' | 'unknown' | 'oracle'>,
    unknown
  >);

async function kept(lines: readonly string[], report = sampleReport()) {
  const file = path.join(folder, 'exchanges.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return selectExchanges(file, report);
}

const brokenBy = (curl: string): Report => ({
  ...sampleReport(),
  requirements: sampleReport().requirements.flatMap(({ counterexample, ...result }) =>
    result.id === FAILED_RULE && counterexample ? [{ ...result, counterexample: { ...counterexample, curl } }] : [],
  ),
});

const put = (number: number, requirement: string, body: string): string => {
  const record = JSON.parse(line(number, requirement, '')) as ExchangeRecord;
  return JSON.stringify({ ...record, request: { ...record.request, method: 'PUT', body } });
};

const putLine = (body: string): string =>
  `curl -sS -i -X PUT http://a/ -H 'Accept: application/json' --data-raw ${body} -H Content-Type:`;

test('failed rules keep all exchanges in full, others the last three with truncated bodies', async () => {
  const long = 'x'.repeat(4000);
  const lines = Array.from({ length: 40 }, (_, index) =>
    line(index + 1, index % 2 === 0 ? FAILED_RULE : METRICS_RULE, long),
  );
  const { exchanges, unreadableLines } = await kept([...lines, '{"number":41,"request":{}}']);
  expect(Object.keys(exchanges).sort()).toEqual([FAILED_RULE, METRICS_RULE].sort());
  expect(exchanges[FAILED_RULE]).toHaveLength(20);
  expect(exchanges[FAILED_RULE]?.every(({ answer }) => answer?.body === long)).toBe(true);
  expect(exchanges[METRICS_RULE]?.map(({ number }) => number)).toEqual([36, 38, 40]);
  expect(exchanges[METRICS_RULE]?.[0]?.answer?.body).toBe(`${'x'.repeat(1500)}… (more in exchanges.ndjson)`);
  expect(unreadableLines).toBe(0);
});

test('a rule violated in the case of another rule has the last exchange that shows it', async () => {
  const url = sampleReport()
    .requirements.find(({ id }) => id === FAILED_RULE)
    ?.counterexample?.curl.split("'")[1];
  const own = line(1, FAILED_RULE, 'own');
  const [first, last] = [line(2, METRICS_RULE, 'first', url), line(3, METRICS_RULE, 'last', url)];
  const { exchanges } = await kept([own, first, last, line(4, METRICS_RULE, 'of another address')]);
  expect(exchanges[FAILED_RULE]).toEqual([own, last].map((each) => JSON.parse(each) as unknown));
  const withIts = await kept([line(1, FAILED_RULE, 'its', url), last]);
  expect(withIts.exchanges[FAILED_RULE]).toHaveLength(1);
});

test('requests of the own case are not searched elsewhere, even if recorded truncated or escaped', async () => {
  const long = 'x'.repeat(5000);
  const own = [put(1, FAILED_RULE, `${long.slice(0, 4096)}… (5000 characters in all)`), put(2, FAILED_RULE, "é'\t\\")];
  const others = [put(3, METRICS_RULE, long), put(4, METRICS_RULE, "é'\t\\")];
  const lines = [putLine(long), putLine(String.raw`$'\303\251\'\011\\'`)];
  const { exchanges } = await kept([...own, ...others], brokenBy(lines.join('\n')));
  expect(exchanges[FAILED_RULE]?.map(({ number }) => number)).toEqual([1, 2]);
});

test('a line is parsed at most once, and only if its URL is searched for', async () => {
  const bodies = Array.from({ length: 30 }, (_, index) => `body-${index}`);
  const lines = bodies.map((body, index) => put(index + 1, 'auth.another.rule', body));
  const elsewhere = line(31, 'auth.another.rule', 'x', 'http://a/elsewhere');
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const { exchanges } = await kept([...lines, elsewhere], brokenBy(bodies.map(putLine).join('\n')));
  expect(exchanges[FAILED_RULE]).toHaveLength(30);
  const parsed = parse.mock.calls.map(([text]) => text);
  // Once for the rule that sent it, whose last three are kept, and once for the rule that it shows broken.
  expect(lines.map((each) => parsed.filter((text) => text === each).length)).toEqual(
    lines.map((_, at) => (at < 28 ? 1 : 2)),
  );
  expect(parsed.filter((text) => text === elsewhere)).toHaveLength(1);
});

test('truncated lines are counted, and the others kept', async () => {
  const whole = line(1, FAILED_RULE, 'a');
  const { exchanges, unreadableLines } = await kept([whole, line(2, FAILED_RULE, 'b').slice(0, -20)]);
  expect(exchanges[FAILED_RULE]).toEqual([JSON.parse(whole)]);
  expect(unreadableLines).toBe(1);
});

test('a run without exchanges has a page', async () => {
  expect(await selectExchanges(path.join(folder, 'nowhere.ndjson'), sampleReport())).toEqual({
    exchanges: {},
    unreadableLines: 0,
  });
});
