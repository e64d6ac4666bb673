/** Browser tests of the mock's API reference. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../../../mock/start-mock.ts';
import { operations } from '../../../spec/operations.ts';
import { axeViolations, noBrowser, visit } from '../testing/page-test.ts';

const options = { seed: 7, clock: 'frozen', now: Date.UTC(2026, 3, 16, 9) } as const;
const closed = await startMock({ ...options, controlToken: 'open-sesame' });
const open = await startMock(options);
const docs = `${open.addresses.host}/_mock/docs`;

afterAll(() => Promise.all([closed.close(), open.close()]));

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();
const responseOf = (page: Page) => page.getByRole('region', { name: 'Response', exact: true });

/** Opens everything that unfolds, also what that reveals. */
async function unfoldAll(page: Page): Promise<void> {
  const closedDetails = page.locator('main details:not([open])');
  for (let rounds = 0; rounds < 6 && (await closedDetails.count()) > 0; rounds++) {
    await page.evaluate(`for (const each of document.querySelectorAll('main details:not([open])')) each.open = true`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

const isWiderThanWindow = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');

describe.skipIf(noBrowser)('the API reference', () => {
  test.each([
    ['getAuthorizationServerMetadata', 'Host', '"token_endpoint"'],
    ['queryAgent', 'Inference', '"agent": "demo-agent"'],
    ['listMultipartUploads', 'Sandbox', '"uploads"'],
    ['listAgents', 'Management', '"demo-agent"'],
  ])('%s is sent to this mock', async (id, surface, text) => {
    await using visited = await visit(`${docs}#${id}`);
    const { page } = visited;
    await page.getByRole('navigation', { name: 'Surfaces' }).locator('[aria-current]').getByText(surface).waitFor();
    await send(page);
    await responseOf(page).getByText('200', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Body of the response' }).getByText(text).first().waitFor();
    const elsewhere = visited.requested.filter(
      (url) => !url.startsWith(`${open.addresses.host}/`) && !url.startsWith('data:'),
    );
    expect(elsewhere).toEqual([]);
    expect(visited.errors).toEqual([]);
  });

  test('every operation has an address and a page', async () => {
    await using visited = await visit(docs);
    const { page } = visited;
    await heading(page).waitFor();
    const lines = await page.evaluate<[string, string][]>(`(async () => {
      const lines = [];
      for (const id of ${JSON.stringify(operations.map(({ id }) => id))}) {
        location.hash = '#' + id;
        const isThere = () => document.querySelector('main .operation-facts a')?.textContent === id;
        for (let frames = 0; frames < 600 && !isThere(); frames++) await new Promise(requestAnimationFrame);
        lines.push([isThere() ? id : 'missing', document.querySelector('.operation-line')?.textContent]);
      }
      return lines;
    })()`);
    expect(lines).toEqual(operations.map(({ id, method, path }) => [id, `${method} ${path}`]));
    expect(visited.errors).toEqual([]);
  });

  test('the filter finds operations of all surfaces, and a link opens one', async () => {
    await using visited = await visit(docs);
    const { page } = visited;
    await page.getByLabel('Filter all operations').fill('multipart post');
    const found = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
    await expect.poll(() => found.count()).toBeGreaterThan(0);
    await found.first().click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\w*Multipart/i);
    await expect.poll(() => found.first().getAttribute('aria-current')).toBe('page');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.goBack();
    await heading(page).getByText('Management API').waitFor();
  });

  test('an operation lists parameters, scopes, schemas, bounds, examples and whether it is documented', async () => {
    await using visited = await visit(`${docs}#updateAgent`);
    const { page } = visited;
    await heading(page).waitFor();
    await expect.poll(() => page.title()).toBe('Update an agent · API reference · assay mock');
    await unfoldAll(page);
    const text = (await page.locator('main').textContent()) ?? '';
    for (const part of [
      'documented',
      'agents:update',
      'agentName',
      '1 to 49 characters',
      'read-only',
      'in megabytes',
      '"demo-agent"',
      '404',
    ])
      expect(text).toContain(part);
    await page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'Read an agent' }).click();
    await page.locator('main .badge').getByText('inferred').waitFor();
  });

  test('a changed request is sent and copied as curl', async () => {
    await using visited = await visit(`${docs}#updateAgent`);
    const { page } = visited;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page
      .getByLabel('Body (application/json)')
      .fill(`{"metadata": {"name": "demo-agent", "displayName": "it's"}, "spec": {}}`);
    await send(page);
    await page.getByRole('region', { name: 'Body of the response' }).getByText(`"displayName": "it's"`).waitFor();
    await page.getByRole('button', { name: /^Copy as curl/ }).click();
    await page.getByRole('button', { name: /^Copied/ }).waitFor();
    const line = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(line).not.toContain(open.target.credentials.admin.value);
    expect(line).toContain(`--data-raw '{"metadata":{"name":"demo-agent","displayName":"it'\\''s"},"spec":{}}'`);
    const { stdout } = await promisify(execFile)('sh', ['-c', line.replaceAll(' -i ', ' ')]);
    expect(JSON.parse(stdout)).toMatchObject({ metadata: { displayName: "it's" } });
    await page.getByLabel('agentName (required)').fill('nobody');
    await page.getByLabel('Credential').selectOption('');
    await send(page);
    await responseOf(page).getByText('401', { exact: true }).waitFor();
  });

  test('a stream is displayed as it arrives and can be stopped', async () => {
    await using visited = await visit(`${docs}#watchDirectory`);
    const { page } = visited;
    await send(page);
    await responseOf(page).getByText('receiving').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await responseOf(page).getByText('receiving').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  test('an unknown operation in the address is named, with similar ones', async () => {
    await using visited = await visit(`${docs}#updateAgents`);
    const { page } = visited;
    await page.getByRole('alert').getByText('The API has no operation updateAgents.').waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'updateAgent', exact: true }).click();
    await heading(page).getByText('Update an agent').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  test('the reference of a mock with a control token asks for it', async () => {
    await using visited = await visit(`${closed.addresses.host}/_mock/docs#host`);
    const { page } = visited;
    await page.getByLabel('Control token').waitFor();
    await expect.poll(() => page.locator('nav').count()).toBe(0);
    await page.getByLabel('Control token').fill('open-sesame');
    await page.getByRole('button', { name: 'Enter' }).click();
    await heading(page).getByText('Host API').waitFor();
  });

  test.each([
    [1280, ['sandbox', 'updateAgent', 'getAccountMetrics']],
    [390, ['sandbox', 'createVolumeTemplateVersion', 'requestToken']],
  ])('%d pixels wide, axe-core finds no violations, and nothing scrolls sideways', async (width, places) => {
    await using visited = await visit(docs, { viewport: { width, height: 844 } });
    const { page } = visited;
    await heading(page).waitFor();
    for (const place of places) {
      await page.evaluate(`location.hash = '#${place}'`);
      await page.locator(`main .operation-facts [href="#${place}"], header [href="#${place}"][aria-current]`).waitFor();
      await unfoldAll(page);
      if (place === 'getAccountMetrics') {
        await send(page);
        await responseOf(page).waitFor();
      }
      expect([place, await axeViolations(page), await isWiderThanWindow(page)]).toEqual([place, [], false]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  });
});
