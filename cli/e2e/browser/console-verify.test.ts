/** Browser test of the section of the console that verifies requests. */
import { describe, expect, test } from 'vitest';
import { startMock } from '../../../mock/start-mock.ts';
import { axeViolations, noBrowser, visit } from '../testing/page-test.ts';

describe.skipIf(noBrowser)('the console', () => {
  test('expected requests are verified, with what is missing and what was received', async () => {
    await using mock = await startMock({ seed: 7 });
    const agents = `${mock.addresses.management}/agents`;
    const headers = {
      authorization: `Bearer ${mock.target.credentials.admin.value}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ metadata: { name: 'demo-agent', displayName: 'Verified' }, spec: {} });
    await fetch(`${agents}/demo-agent`, { method: 'PUT', headers, body });
    await using visited = await visit(`${mock.addresses.host}/_mock/#verify`);
    const { page, errors } = visited;
    const form = page.getByRole('form', { name: 'New expectation' });
    const result = page.getByRole('region', { name: 'Result' });
    await form.getByRole('combobox', { name: 'Operation' }).fill('updateAgent');
    await form.getByLabel('Body (JSON)').fill('{"metadata": {"displayName": "Verified"}');
    await form.getByRole('button', { name: 'Add and check' }).click();
    await page.getByRole('alert').getByText('The body is not JSON').waitFor();
    await form.getByLabel('Body (JSON)').fill('{"metadata": {"displayName": "Verified"}}');
    await form.getByRole('button', { name: 'Add and check' }).click();
    await result.getByRole('heading', { name: 'All expectations are met' }).waitFor();
    await form.getByLabel('Body (JSON)').fill('');
    await form.getByRole('combobox', { name: 'Operation' }).fill('listAgents');
    await form.getByLabel('Exactly, times').fill('1');
    await form.getByRole('button', { name: 'Add and check' }).click();
    await result.getByRole('heading', { name: '1 failure' }).waitFor();
    await result.getByText('requests[1] (listAgents): 0 received; expected 1.').waitFor();
    await result.getByText('PUT /v0/agents/demo-agent 200').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Wait, seconds').fill('30');
    await page.getByLabel('In this order').check();
    await page.getByRole('button', { name: 'Check the requests' }).click();
    await fetch(agents, { headers });
    await result.getByRole('heading', { name: 'All expectations are met' }).waitFor();
    await form.getByLabel('At most, times').fill('1');
    await form.getByRole('button', { name: 'Add and check' }).click();
    await page.getByRole('alert').getByText('requests[2].times is 1').waitFor();
    await page.getByRole('button', { name: 'Remove expectation 2' }).click();
    await expect.poll(() => page.locator('.rows > li').count()).toBe(1);
    await page.getByRole('button', { name: 'Check the requests' }).click();
    await result.getByRole('heading', { name: 'All expectations are met' }).waitFor();
    expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
  });

  test('rules, scripts and expectations match the query', async () => {
    await using mock = await startMock();
    const headers = { authorization: `Bearer ${mock.target.credentials.admin.value}` };
    await using visited = await visit(`${mock.addresses.host}/_mock/#faults`);
    const { page } = visited;
    const form = page.getByRole('form', { name: 'New fault rule' });
    await form.getByRole('combobox', { name: 'Operation' }).fill('listVpcs');
    await form.getByLabel('Query (JSON)').fill('cursor=*');
    await form.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByRole('alert').getByText('The query is not JSON').waitFor();
    await form.getByLabel('Query (JSON)').fill('{"cursor": "*"}');
    await form.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByText('on listVpcs query {"cursor":"*"}').waitFor();
    const list = async (query: string) =>
      (await fetch(`${mock.addresses.management}/vpcs${query}`, { headers })).status;
    expect([await list(''), await list('?cursor=abc')]).toEqual([200, 503]);
  });

  test('expectations that are added while others are checked are kept, also when another section was open', async () => {
    await using mock = await startMock({ seed: 7 });
    await using visited = await visit(`${mock.addresses.host}/_mock/#verify`);
    const { page } = visited;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/_mock/verify', async (route) => {
      await released;
      await route.continue();
    });
    const form = page.getByRole('form', { name: 'New expectation' });
    for (const operation of ['listAgents', 'listVpcs']) {
      await form.getByRole('combobox', { name: 'Operation' }).fill(operation);
      await form.getByRole('button', { name: 'Add and check' }).click();
    }
    release();
    await page.getByRole('heading', { name: '2 failures' }).waitFor();
    await page.goto(`${mock.addresses.host}/_mock/#tokens`);
    await page.goto(`${mock.addresses.host}/_mock/#verify`);
    await page.getByRole('heading', { name: '2 failures' }).waitFor();
    await expect
      .poll(() => page.locator('.rows > .rule > span > strong').allTextContents())
      .toEqual(['requests[0]', 'requests[1]']);
  });
});
