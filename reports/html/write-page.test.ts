import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ExchangeRecord, Report } from '../../spec/verdicts.ts';
import { keepExchanges } from './keep-exchanges.ts';
import { FAILED, HOSTILE, METRICS_RULE, sampleReport, writeSampleRun } from './sample-run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

const elements = (html: string): string[] => [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);

test('the page holds every script it runs, by its hash, and no address', async () => {
  const html = readFileSync(await writeSampleRun(path.join(folder, 'run')), 'utf8');
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/,
  );
  const code = /<script>(.*)<\/script>\s*<\/body>/s.exec(html)?.[1] ?? '';
  expect(policy).toContain(createHash('sha256').update(code).digest('base64'));
  expect(html).not.toMatch(/<[^>]+\s(?:src|href)="/);
});

test('no string of a report ends the element that holds it', async () => {
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
    request: { method: 'GET', url, headers: {}, body: null },
    answer: { status: 200, headers: {}, body },
    durationMs: 1,
    findings: [],
  } satisfies Record<keyof Omit<ExchangeRecord, 'operation' | 'credential' | 'failure' | 'oracle'>, unknown>);

async function kept(lines: readonly string[]) {
  const file = path.join(folder, 'exchanges.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return keepExchanges(file, sampleReport());
}

test('of a rule that failed all exchanges are kept whole, of another the last three, cut', async () => {
  const long = 'x'.repeat(4000);
  const lines = Array.from({ length: 40 }, (_, index) =>
    line(index + 1, index % 2 === 0 ? FAILED : METRICS_RULE, long),
  );
  const { exchanges, unreadableLines } = await kept([...lines, '{"number":41,"request":{}}']);
  expect(Object.keys(exchanges).sort()).toEqual([FAILED, METRICS_RULE].sort());
  expect(exchanges[FAILED]).toHaveLength(20);
  expect(exchanges[FAILED]?.every(({ answer }) => answer?.body === long)).toBe(true);
  expect(exchanges[METRICS_RULE]?.map(({ number }) => number)).toEqual([36, 38, 40]);
  expect(exchanges[METRICS_RULE]?.[0]?.answer?.body).toBe(`${'x'.repeat(1500)}… (more in exchanges.ndjson)`);
  expect(unreadableLines).toBe(0);
});

test('a rule that the case of another saw broken has the exchange that shows it, the last', async () => {
  const url = sampleReport()
    .requirements.find(({ id }) => id === FAILED)
    ?.counterexample?.curl.split("'")[1];
  const own = line(1, FAILED, 'own');
  const [first, last] = [line(2, METRICS_RULE, 'first', url), line(3, METRICS_RULE, 'last', url)];
  const { exchanges } = await kept([own, first, last, line(4, METRICS_RULE, 'of another address')]);
  expect(exchanges[FAILED]).toEqual([own, last].map((each) => JSON.parse(each) as unknown));
  const withIts = await kept([line(1, FAILED, 'its', url), last]);
  expect(withIts.exchanges[FAILED]).toHaveLength(1);
});

test('lines that were cut short are counted, and the others kept', async () => {
  const whole = line(1, FAILED, 'a');
  const { exchanges, unreadableLines } = await kept([whole, line(2, FAILED, 'b').slice(0, -20)]);
  expect(exchanges[FAILED]).toEqual([JSON.parse(whole)]);
  expect(unreadableLines).toBe(1);
});

test('a run that wrote no exchanges has a page, too', async () => {
  expect(await keepExchanges(path.join(folder, 'nowhere.ndjson'), sampleReport())).toEqual({
    exchanges: {},
    unreadableLines: 0,
  });
});
