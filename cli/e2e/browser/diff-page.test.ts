/** `assay diff --format html` as a reader meets it, opened from disk. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compareReports } from '../../../reports/diff/compare-reports.ts';
import { toHtml } from '../../../reports/diff/html.ts';
import { HOSTILE, METRICS_RULE, sampleReport } from '../../../reports/html/sample-run.ts';
import type { Report } from '../../../spec/verdicts.ts';
import { newFolder } from '../testing/assay-process.ts';
import { axeViolations, noBrowser, visit } from '../testing/page-test.ts';

const first = sampleReport();
const second: Report = {
  ...first,
  requirements: first.requirements.map((result) =>
    result.id === METRICS_RULE ? { ...result, verdict: 'failed', reason: HOSTILE, durationMs: 5000 } : result,
  ),
  observations: first.observations.map((each) => ({
    ...each,
    saw: `another ${HOSTILE}`,
    value: `another ${HOSTILE}`,
  })),
};

describe.skipIf(noBrowser)('the page of a comparison', () => {
  test('the heading counts regressions, the page loads and runs nothing, and axe-core finds no violations', async () => {
    const file = path.join(newFolder(), 'diff.html');
    writeFileSync(file, toHtml(compareReports(first, second, { timings: true })));
    const { href } = pathToFileURL(file);
    await using seen = await visit(href, { viewport: { width: 390, height: 844 } });
    const { page } = seen;
    await expect.poll(() => page.locator('h1').textContent()).toBe('1 regression');
    await expect
      .poll(() => page.locator('h2').allTextContents())
      .toEqual(['Newly failing (1)', 'Observations that differ (1)', 'Timings that changed (1)']);
    await expect.poll(() => page.locator('main').textContent()).toContain('<script>hacked=1</script><img src=x');
    expect(await page.evaluate('typeof hacked')).toBe('undefined');
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect([seen.requested, seen.errors]).toEqual([[href], []]);
    expect(await axeViolations(page)).toEqual([]);
  });
});
