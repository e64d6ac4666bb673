/** report.html as a reader meets it, opened from disk. */
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  FAILED_RULE,
  HOSTILE,
  HOSTILE_RULE,
  KNOWN_FAILURE_RULE,
  METRICS_RULE,
  METRICS_URL,
  OBSERVED_RULE,
  sampleReport,
  writeSampleRun,
} from '../../../reports/html/sample-run.ts';
import { writePage } from '../../../reports/html/write-page.ts';
import { requirements } from '../../../spec/requirements/index.ts';
import type { ExchangeRecord } from '../../../spec/verdicts.ts';
import { newFolder } from '../testing/assay-process.ts';
import { axeViolations, noBrowser, visit } from '../testing/page-test.ts';

/** A run that fails because of this response. Returns the path of the page. */
async function writeLongAnswer(body: string, findings: ExchangeRecord['findings']): Promise<string> {
  const folder = newFolder();
  const exchange: ExchangeRecord = {
    number: 1,
    requirement: FAILED_RULE,
    request: { method: 'GET', url: METRICS_URL, headers: { accept: 'application/json' }, body: null },
    answer: { status: 200, headers: {}, body },
    durationMs: 1,
    findings,
  };
  writeFileSync(path.join(folder, 'exchanges.ndjson'), `${JSON.stringify(exchange)}\n`);
  await writePage(sampleReport(), folder);
  return path.join(folder, 'report.html');
}

describe.skipIf(noBrowser)('report.html', () => {
  let file: string;
  let address: string;

  beforeAll(async () => {
    file = await writeSampleRun(path.join(newFolder(), 'run'));
    address = pathToFileURL(file).href;
  });

  const ruleOf = (page: Page, id: string) => page.locator(`[id="${id}"]`);
  const headOf = (page: Page, id: string) => ruleOf(page, id).locator('h4 button');
  const firstBroken = (page: Page) => page.getByRole('list', { name: 'What failed' }).getByRole('listitem');
  const isInSight = async (element: Locator): Promise<boolean> => {
    const { y = -1, height = 0 } = (await element.boundingBox()) ?? {};
    return y >= 0 && y + height <= (element.page().viewportSize()?.height ?? 0);
  };
  const idsIn = (page: Page): Promise<string[]> => page.locator('.rule .id').allTextContents();

  test('remaining resources are listed at the top, truncated', async () => {
    const left = Array.from({ length: 10 }, (_, index) => `Not removed: assay-r-${index} <b>\u001b[2J`);
    const folder = newFolder();
    await writePage({ ...sampleReport(), left }, folder);
    await using seen = await visit(pathToFileURL(path.join(folder, 'report.html')).href);
    const list = seen.page.getByRole('list', { name: 'Not removed from the target' });
    const texts = await list.getByRole('listitem').allTextContents();
    expect(texts).toHaveLength(9);
    expect(texts[0]).toContain('Not removed: assay-r-0 <b>');
    expect(texts[0]).not.toContain('\u001b');
    expect(texts.at(-1)).toBe('and 2 more, in report.json');
    expect(await axeViolations(seen.page, '[aria-label="Not removed from the target"]')).toEqual([]);
  });

  test('failures come first, with differences between expected and actual marked', async () => {
    await using seen = await visit(address);
    const { page } = seen;
    await expect.poll(() => page.locator('h1').textContent()).toBe('2 rules failed');
    expect((await idsIn(page)).slice(0, 2).sort()).toEqual([HOSTILE_RULE, FAILED_RULE]);
    const failed = ruleOf(page, FAILED_RULE);
    await expect.poll(() => failed.locator('.differs .expected mark').allTextContents()).toEqual(['resolution daily']);
    await expect.poll(() => failed.locator('.differs .actual mark').allTextContents()).toEqual(['hourly']);
    await expect
      .poll(() => failed.locator('.exchange .body mark').allTextContents())
      .toEqual(['"resolution": "hourly",']);
    await expect
      .poll(() => failed.textContent())
      .toContain(`npx --no assay replay ${path.dirname(file)} ${FAILED_RULE} --target FILE --allow write`);
    await expect.poll(() => failed.textContent()).toContain('Waited 55 s for delayed effects');
  });

  test('shows the result, the number of failed rules and the first of them at the top', async () => {
    await using seen = await visit(address, { viewport: { width: 1024, height: 640 } });
    const { page } = seen;
    const atOnce = [page.locator('h1'), page.getByText('2 failed', { exact: false }), firstBroken(page)];
    await expect
      .poll(() => Promise.all(atOnce.map((each) => each.first().textContent())))
      .toEqual([
        '2 rules failed',
        expect.stringMatching(/^\d+ of \d+ must rules tried: \d+ passed, 2 failed/),
        expect.stringContaining((await idsIn(page))[0] ?? ''),
      ]);
    for (const each of atOnce) await expect.poll(() => isInSight(each.first())).toBe(true);
  });

  test('an exchange sent by another case is listed with the failure, and names that case', async () => {
    await using seen = await visit(`${address}#${KNOWN_FAILURE_RULE}`);
    const known = ruleOf(seen.page, KNOWN_FAILURE_RULE);
    await expect
      .poll(() => known.locator('.exchange .label').first().textContent())
      .toMatch(new RegExp(`^Request \\d+, sent for ${METRICS_RULE}$`));
    await expect.poll(() => known.locator('.exchange mark').allTextContents()).toEqual(['200']);
    const [number] = /\d+/.exec((await known.locator('.exchange .label').first().textContent()) ?? '') ?? [];
    await expect.poll(() => known.locator('figcaption').textContent()).toContain(`Response ${number},`);
    await known.getByRole('button', { name: 'Show the 2 exchanges' }).click();
    await expect.poll(() => known.locator('.entry').count()).toBe(2);
  });

  test('every rule of the report is listed, with every verdict', async () => {
    await using seen = await visit(address);
    expect((await idsIn(seen.page)).sort()).toEqual(requirements.map(({ id }) => id as string).sort());
    const groups = await seen.page.locator('.group h3').allTextContents();
    expect(groups.map((text) => text.replace(/ \d+$/, ''))).toEqual([
      'Failed',
      'Errors',
      'Areas',
      'Known failures',
      'Not tried',
      'Observed',
      'Passed',
    ]);
  });

  test('filters stand in the address, and the address brings them back', async () => {
    await using seen = await visit(address);
    await seen.page.getByRole('searchbox').fill('weekly');
    await seen.page.getByRole('combobox').selectOption('metrics');
    await seen.page.getByRole('button', { name: /^Passed/ }).click();
    const shown = await idsIn(seen.page);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((id) => !id.startsWith('metrics.') || id === FAILED_RULE)).toEqual([]);
    await expect.poll(() => new URL(seen.page.url()).hash).toBe('#?verdict=passed&area=metrics&text=weekly');

    await using again = await visit(seen.page.url());
    await expect.poll(() => idsIn(again.page)).toEqual(shown);
    await expect.poll(() => again.page.getByRole('searchbox').inputValue()).toBe('weekly');
    await expect
      .poll(() => again.page.getByRole('button', { name: /^Passed/ }).getAttribute('aria-pressed'))
      .toBe('true');
    await again.page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => idsIn(again.page)).toHaveLength(requirements.length);
  });

  /** Its head is in sight, it is open, and the keyboard is there. */
  async function expectArrived(page: Page, id: string): Promise<void> {
    await expect.poll(() => headOf(page, id).getAttribute('aria-expanded'), { timeout: 20_000 }).toBe('true');
    await expect.poll(() => isInSight(headOf(page, id)), { timeout: 20_000 }).toBe(true);
    const active = (): Promise<unknown> => page.evaluate(`document.activeElement.closest('.rule')?.id`);
    await expect.poll(active, { timeout: 20_000 }).toBe(id);
  }

  test.each(['', '?verdict=failed', '?area=versions&text=nothing'])(
    'a shared link to a rule opens it and goes there, also behind the filter "%s"',
    async (filter) => {
      await using seen = await visit(`${address}#${METRICS_RULE}${filter}`);
      await expectArrived(seen.page, METRICS_RULE);
      await expect.poll(() => idsIn(seen.page)).toHaveLength(requirements.length);
      // Not page.url(), which Playwright updates later.
      await expect.poll(() => seen.page.evaluate('location.hash')).toBe(`#${METRICS_RULE}`);
    },
  );

  test('a filter that shows the rule of a shared link stays', async () => {
    await using seen = await visit(`${address}#${METRICS_RULE}?verdict=passed`);
    await expectArrived(seen.page, METRICS_RULE);
    await expect.poll(() => idsIn(seen.page)).not.toContain(FAILED_RULE);
  });

  test('a clicked link opens its rule, even if a filter hides it', async () => {
    await using seen = await visit(`${address}#?verdict=passed&area=versions`);
    const { page } = seen;
    await expect.poll(() => idsIn(page)).not.toContain(FAILED_RULE);
    await page.getByRole('list', { name: 'What failed' }).getByRole('link', { name: FAILED_RULE }).click();
    await expectArrived(page, FAILED_RULE);
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${FAILED_RULE}`);
    await expect
      .poll(() => ruleOf(page, FAILED_RULE).getByRole('link', { name: FAILED_RULE }).getAttribute('href'))
      .toBe(`#${FAILED_RULE}`);
  });

  test('opening a rule puts it into the address', async () => {
    await using seen = await visit(`${address}#?area=versions`);
    await headOf(seen.page, OBSERVED_RULE).click();
    await expect.poll(() => new URL(seen.page.url()).hash).toBe(`#${OBSERVED_RULE}?area=versions`);
  });

  test('a figure of the matrix leads to its rules', async () => {
    await using seen = await visit(address);
    await seen.page.getByRole('link', { name: 'metrics, failed: 1' }).click();
    await seen.page.getByText(`1 of ${requirements.length} rules`).waitFor();
    await expect.poll(() => idsIn(seen.page), { timeout: 20_000 }).toEqual([FAILED_RULE]);
    await seen.page.getByRole('link', { name: 'metrics, known-failure: 1' }).click();
    const top = (): Promise<number> =>
      seen.page.evaluate(`document.getElementById('rules').getBoundingClientRect().top`);
    await expect.poll(top, { timeout: 20_000 }).toBeLessThan(100);
    await expect.poll(() => idsIn(seen.page), { timeout: 20_000 }).toEqual([KNOWN_FAILURE_RULE]);
  });

  test('the back button restores the view', async () => {
    await using seen = await visit(address);
    await seen.page.getByRole('link', { name: 'metrics, failed: 1' }).click();
    await seen.page.getByText(`1 of ${requirements.length} rules`).waitFor();
    await seen.page.goBack();
    await seen.page.getByText(`${requirements.length} rules`, { exact: true }).waitFor();
    await expect.poll(() => idsIn(seen.page), { timeout: 20_000 }).toHaveLength(requirements.length);
  });

  test('the keyboard alone reaches the rules and opens one', async () => {
    await using seen = await visit(address);
    const { keyboard } = seen.page;
    await keyboard.press('Tab');
    await keyboard.press('Enter'); // Skip to the rules
    await keyboard.press('Tab');
    await keyboard.type(OBSERVED_RULE);
    await seen.page.getByText(`1 of ${requirements.length} rules`).waitFor();
    const isOnRule = `document.activeElement.closest('.rule') !== null`;
    for (let presses = 0; presses < 30 && !(await seen.page.evaluate(isOnRule)); presses++) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await expect.poll(() => headOf(seen.page, OBSERVED_RULE).getAttribute('aria-expanded')).toBe('true');
    await keyboard.press('Space');
    await expect.poll(() => headOf(seen.page, OBSERVED_RULE).getAttribute('aria-expanded')).toBe('false');
  });

  test.each(['light', 'dark'] as const)('%s as the system has it, until the reader chooses', async (colorScheme) => {
    await using seen = await visit(address, { colorScheme });
    const ground = (): Promise<unknown> => seen.page.evaluate('getComputedStyle(document.body).backgroundColor');
    const before = await ground();
    await seen.page.getByRole('button', { name: /colours$/ }).click();
    const chosen = await ground();
    expect(chosen).not.toBe(before);
    await using other = await visit(address, { colorScheme: colorScheme === 'light' ? 'dark' : 'light' });
    await expect.poll(() => other.page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(chosen);
  });

  test('axe-core finds no violations with everything open', async () => {
    await using seen = await visit(address);
    const { page } = seen;
    for (const id of [METRICS_RULE, OBSERVED_RULE, 'images.cleanup.answer-shape']) await headOf(page, id).click();
    await ruleOf(page, METRICS_RULE).locator('summary').click();
    await ruleOf(page, FAILED_RULE)
      .getByRole('button', { name: /^Show the/ })
      .click();
    await ruleOf(page, FAILED_RULE).locator('.entry > button').first().click();
    await page.evaluate(
      `for (const { style } of document.querySelectorAll('.rule')) style.contentVisibility = 'visible'`,
    );
    // Closed rules all look the same, and checking them is slow.
    const taken = await page.evaluate(
      `[...document.querySelectorAll('.rule:not(:has([aria-expanded="true"]))')].slice(10).map((rule) => rule.remove()).length`,
    );
    expect(taken).toBeGreaterThan(100);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('the series that a metrics rule saw is a plot, and a table', async () => {
    await using seen = await visit(`${address}#${METRICS_RULE}`);
    const rule = ruleOf(seen.page, METRICS_RULE);
    await expect.poll(() => rule.locator('canvas').count()).toBe(1);
    await rule.locator('summary').click();
    await expect
      .poll(() => rule.locator('.figures tbody tr').allTextContents())
      .toEqual(['2026-11-14 00:001', '2026-11-14 01:002', '2026-11-14 02:003']);
  });

  test('nothing is fetched, and the page works without network access', async () => {
    await using seen = await visit(address);
    await seen.page.locator('h1').waitFor();
    expect(seen.requested).toEqual([address]);
    expect(seen.errors).toEqual([]);
    const refused = await seen.page.evaluate(`new Promise((resolve) => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
    document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/x.png' }));
  })`);
    expect(refused).toBe('img-src');
  });

  test('hostile strings are text', async () => {
    await using seen = await visit(`${address}#${OBSERVED_RULE}`);
    const { page } = seen;
    const rule = ruleOf(page, HOSTILE_RULE);
    await rule.getByRole('button', { name: /^Show the/ }).click();
    await rule.locator('.entry > button').first().click();
    const text = (await page.locator('#page').textContent()) ?? '';
    expect(text).toContain(
      String.raw`</script><script>hacked=1</script><img src=x onerror="hacked=1"><!-- \u001b[31m \u202egnp.exe`,
    );
    for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character);
    expect(await page.evaluate('typeof hacked')).toBe('undefined');
    await expect.poll(() => page.locator('img').count()).toBe(0);
    expect(seen.errors).toEqual([]);
  });

  test('a phone shows it without scrolling sideways', async () => {
    await using seen = await visit(address, { viewport: { width: 390, height: 844 } });
    await expect.poll(() => seen.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  test('the printed page has no buttons and a light background', async () => {
    await using seen = await visit(address, { colorScheme: 'dark' });
    await seen.page.emulateMedia({ media: 'print' });
    await expect.poll(() => seen.page.getByRole('searchbox').isVisible()).toBe(false);
    await expect
      .poll(() => seen.page.evaluate('getComputedStyle(document.body).backgroundColor'))
      .toBe('rgb(255, 255, 255)');
    await expect.poll(() => ruleOf(seen.page, FAILED_RULE).locator('.differs').isVisible()).toBe(true);
  });

  test('a long body is folded around its marked line, expands, and is printed with few lines', async () => {
    const numbers = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`number${index}`, index]));
    const findings = [{ at: '/events', says: 'found an object' }];
    const long = await writeLongAnswer(JSON.stringify({ ...numbers, events: {} }), findings);
    await using seen = await visit(pathToFileURL(long).href);
    const rule = ruleOf(seen.page, FAILED_RULE);
    const body = rule.locator('.exchange .body').first();
    const linesOf = async (): Promise<string[]> => (await body.innerText()).split('\n').filter((line) => line !== '');
    await expect
      .poll(() => linesOf())
      .toEqual([
        '{',
        ...Array.from({ length: 15 }, (_, index) => `  "number${index}": ${index},`),
        '⋯ 182 lines',
        ...[197, 198, 199].map((index) => `  "number${index}": ${index},`),
        '  "events": {}',
        '}',
      ]);
    await expect.poll(() => body.locator('mark').allTextContents()).toEqual(['"events": {}']);
    const isCut = `[...document.querySelectorAll('.body')].some((each) => each.scrollHeight > each.clientHeight)`;
    await expect.poll(() => seen.page.evaluate(isCut)).toBe(false);
    await rule.getByRole('button', { name: /^Show all 203 lines/ }).click();
    await expect.poll(() => linesOf()).toHaveLength(203);
    await seen.page.emulateMedia({ media: 'print' });
    expect((await linesOf()).slice(-3)).toEqual([
      '  "number38": 38,',
      '  "events": {}',
      '… 203 lines in total, see report.html',
    ]);
    await seen.page.emulateMedia({ media: 'screen' });
    await rule.getByRole('button', { name: /^Show less/ }).click();
    await expect.poll(() => linesOf()).toHaveLength(22);
  });

  test('of failures with the same response, the first is open, and the others lead to it', async () => {
    const folder = newFolder();
    const report = sampleReport();
    const request = { method: 'GET', url: 'http://127.0.0.1:1/v0/accounts', headers: {} };
    const counterexample = { input: null, seed: 1, path: '', curl: '', expected: 'status 200', actual: 'status 500' };
    const passed = report.requirements.filter(({ verdict }) => verdict === 'passed').slice(0, 2);
    const results = report.requirements.map((result) =>
      passed.includes(result)
        ? { ...result, verdict: 'failed' as const, counterexample: { ...counterexample, request } }
        : result,
    );
    await writePage({ ...report, requirements: results }, folder);
    await using seen = await visit(pathToFileURL(path.join(folder, 'report.html')).href);
    const [first, second] = passed.map(({ id }) => id);
    const isOpen = passed.map(({ id }) => headOf(seen.page, id).getAttribute('aria-expanded'));
    expect(await Promise.all(isOpen)).toEqual(['true', 'false']);
    const link = ruleOf(seen.page, second!).getByRole('link', { name: first! });
    expect(await link.getAttribute('href')).toBe(`#${first}`);
    expect(await ruleOf(seen.page, second!).textContent()).toContain(
      `Failed with the response of listAccounts with status 500, like ${first}.`,
    );
  });

  test('the details of failures are above the table of areas, unless a filter is set', async () => {
    await using seen = await visit(address);
    const { page } = seen;
    const top = (selector: string): Promise<number> =>
      page.evaluate(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`);
    expect(await top(`[id="${FAILED_RULE}"] .exchange`)).toBeLessThan(await top('#areas'));
    expect(await top('#areas')).toBeLessThan(await top('#group-passed'));
    await page.getByRole('button', { name: /^Passed/ }).click();
    expect(await top('#group-passed')).toBeLessThan(await top('#areas'));
  });

  test('an address with an unknown rule says so and suggests similar rules', async () => {
    await using seen = await visit(`${address}#metrics.sums.total-is-the-sum-of-groups`);
    const { page } = seen;
    const notice = page.getByRole('alert');
    await notice.getByText('This report has no rule metrics.sums.total-is-the-sum-of-groups.').waitFor();
    await expect.poll(() => isInSight(notice)).toBe(true);
    expect(await axeViolations(page, '[role="alert"]')).toEqual([]);
    await notice.getByRole('link', { name: METRICS_RULE }).click();
    await expectArrived(page, METRICS_RULE);
    await expect.poll(() => notice.count()).toBe(0);
    await using other = await visit(`${address}#${HOSTILE.replaceAll(/[?#%]/g, '')}`);
    await other.page.getByRole('alert').getByText('Search for it below.').waitFor();
    await using section = await visit(`${address}#timings`);
    await section.page.locator('#timings').waitFor();
    await expect.poll(() => section.page.getByRole('alert').count()).toBe(0);
  });

  test('of 2,000 exchanges, only the opened ones are rendered', async () => {
    const many = await writeSampleRun(path.join(newFolder(), 'many'), 2000);
    await using seen = await visit(pathToFileURL(many).href);
    await using few = await visit(address);
    const nodes = (page: Page): Promise<number> => page.evaluate<number>(`document.querySelectorAll('#page *').length`);
    expect(await nodes(seen.page)).toBe(await nodes(few.page));
    const rule = ruleOf(seen.page, FAILED_RULE);
    await rule.getByRole('button', { name: /^Show the/ }).click();
    await expect.poll(() => rule.locator('.entry').count()).toBe(20);
    await rule.getByRole('button', { name: 'Show 20 more' }).click();
    await expect.poll(() => rule.locator('.entry').count()).toBe(40);
    expect(statSync(many).size).toBeLessThan(4_000_000);
  });
});
