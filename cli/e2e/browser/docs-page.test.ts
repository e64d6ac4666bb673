/** The mock's API reference as a person meets it. */
import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../../../mock/start-mock.ts';
import { axeViolations, noBrowser, visit } from '../testing/page-test.ts';

const mock = await startMock({ seed: 7, clock: 'frozen', now: Date.UTC(2026, 3, 16, 9), controlToken: 'open-sesame' });
const open = await startMock({ seed: 7, clock: 'frozen', now: Date.UTC(2026, 3, 16, 9) });
const docs = `${open.addresses.host}/_mock/docs`;

afterAll(() => Promise.all([mock.close(), open.close()]));

/** What the viewer itself gets wrong: selects without names, links within buttons, a main that must not be within anything. */
const OF_THE_VIEWER = [
  'heading-order',
  'label',
  'landmark-main-is-top-level',
  'nested-interactive',
  'scrollable-region-focusable',
  'select-name',
];

describe.skipIf(noBrowser)('the API reference', () => {
  test('every document can be chosen, and is tried at this mock', async () => {
    await using seen = await visit(docs);
    const { page } = seen;
    await page.locator('.opblock').first().waitFor();
    const title = async (): Promise<string> => (await page.locator('.info .title').textContent()) ?? '';
    expect(await title()).toMatch(/^Management/);
    for (const [name, operation, text] of [
      ['Host', 'getAuthorizationServerMetadata', '"token_endpoint"'],
      ['Inference', 'queryAgent', '"agent": "demo-agent"'],
      ['Sandbox', 'listMultipartUploads', '"uploads"'],
      ['Management', 'listAgents', '"demo-agent"'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      const block = page.locator('.opblock').filter({ has: page.getByText(operation, { exact: true }) });
      await block.locator('.opblock-summary-control').click();
      expect(await title()).toMatch(new RegExp(`^${name}`));
      await block.getByRole('button', { name: 'Try it out' }).click();
      await block.getByRole('button', { name: 'Execute' }).click();
      const answer = block.locator('.live-responses-table .response');
      await answer.waitFor();
      expect(await answer.locator('.response-col_status').textContent()).toContain('200');
      expect(await answer.locator('.response-col_description').textContent()).toContain(text);
    }
    const elsewhere = seen.requested.filter(
      (url) => !url.startsWith(`${open.addresses.host}/`) && !url.startsWith('data:'),
    );
    expect(elsewhere).toEqual([]);
    expect(seen.errors).toEqual([]);
  });

  test('the reference of a mock with a control token asks for it', async () => {
    await using seen = await visit(`${mock.addresses.host}/_mock/docs?document=host`);
    const { page } = seen;
    expect(await page.locator('.opblock').count()).toBe(0);
    await page.getByLabel('Control token').fill('open-sesame');
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.info .title').textContent()).toMatch(/^Host/);
  });

  test('axe-core finds no violations in our part of the page', async () => {
    // The shortest document: our part is the same in all of them, and checking a whole page is slow.
    await using seen = await visit(`${docs}?document=sandbox`);
    await seen.page.locator('.opblock-summary-control').first().click();
    await seen.page.locator('.opblock-body').waitFor();
    const violations = await axeViolations(seen.page);
    expect(violations.filter((line) => !OF_THE_VIEWER.some((rule) => line.startsWith(`${rule}:`)))).toEqual([]);
  });
});
