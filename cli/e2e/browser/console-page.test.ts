/** Browser tests of the mock's console. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { startMock, type MockOptions, type RunningMock } from '../../../mock/start-mock.ts';
import { axeViolations, noBrowser, visit, type Visit } from '../testing/page-test.ts';

/** The last character but one reverses the direction of the text after it. */
const HOSTILE = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>\u202e.`;

const mocks: RunningMock[] = [];

async function start(options: MockOptions = {}): Promise<RunningMock> {
  const mock = await startMock({ seed: 7, clock: 'frozen', now: Date.UTC(2026, 3, 16, 9), ...options });
  mocks.push(mock);
  return mock;
}

afterEach(async () => {
  await Promise.all(mocks.splice(0).map((mock) => mock.close()));
});

const consoleOf = ({ addresses }: RunningMock, section = 'resources'): string => `${addresses.host}/_mock/#${section}`;

function manage({ addresses, target }: RunningMock, method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${target.credentials.admin.value}`, 'content-type': 'application/json' };
  return fetch(addresses.management + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
}

const agent = (displayName: string) => ({ metadata: { name: 'demo-agent', displayName }, spec: {} });
const rowOf = (page: Page, text: string) => page.locator('.rows > li').filter({ hasText: text });
const goTo = (page: Page, section: string) => page.getByRole('navigation').getByRole('link', { name: section }).click();

/** Expects that the page sent requests only to the mock and logged no errors. */
function expectNoErrors({ requested, errors }: Visit, { addresses }: RunningMock): void {
  expect(requested.filter((url) => !url.startsWith(`${addresses.host}/`) && !/^(?:data|blob):/.test(url))).toEqual([]);
  expect(requested.length).toBeGreaterThan(3);
  expect(errors).toEqual([]);
}

describe.skipIf(noBrowser)('the console', () => {
  test('requests appear in the journal live, with error messages and bodies', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock, 'journal'));
    await visited.page.getByText('0 requests · live').waitFor();
    await manage(mock, 'PUT', '/agents/demo-agent', agent('Live'));
    await manage(mock, 'GET', '/agents/missing?view=a%20b');
    await visited.page.getByText('2 requests · live').waitFor();
    const [failed, updated] = await visited.page.locator('.rows > li').allTextContents();
    expect(failed).toMatch(/404.*GET.*\/v0\/agents\/missing\?view=a b.*Agent "missing" does not exist\..*getAgent/);
    expect(updated).toMatch(/200.*PUT.*\/v0\/agents\/demo-agent/);
    await rowOf(visited.page, 'PUT').getByRole('button').click();
    await expect
      .poll(() => visited.page.getByRole('region', { name: /^Body of request/ }).textContent())
      .toContain('"displayName": "Live"');
    await expect.poll(() => rowOf(visited.page, 'PUT').textContent()).toContain('authorization[redacted]');
    await visited.page.getByLabel('Outcome').selectOption('clientError');
    await expect.poll(() => visited.page.locator('.rows > li').count()).toBe(1);
    await visited.page.getByRole('button', { name: 'Clear' }).click();
    await visited.page.getByText('0 requests · live').waitFor();
    expectNoErrors(visited, mock);
  });

  test('advancing the clock changes the status of a deployment', async () => {
    const mock = await start();
    await manage(mock, 'PUT', '/agents/demo-agent', agent('Moved'));
    await using visited = await visit(consoleOf(mock));
    const { page } = visited;
    await rowOf(page, 'Moved').getByText('UPLOADING').waitFor();
    await page.getByRole('button', { name: 'Advance +1 s' }).click();
    await rowOf(page, 'Moved').getByText('DEPLOYED', { exact: true }).waitFor();
    await rowOf(page, 'Moved').getByRole('button').click();
    await rowOf(page, 'Moved').getByText('The revision is deployed.').first().waitFor();
    await page.getByRole('button', { name: 'Set…', exact: true }).click();
    await page.getByLabel('Time (RFC 3339)').fill('2027-01-01T00:00:00Z');
    await page.getByRole('button', { name: 'Set the clock' }).click();
    await page.getByRole('region', { name: 'Clock' }).getByText('2027-01-01 00:00:00').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Freeze' }).waitFor();
    expect(mock.world.clock.mode()).toBe('running');
    await page.getByRole('button', { name: 'Set…', exact: true }).click();
    expectNoErrors(visited, mock);
  });

  test('requests fail after a fault rule is added and succeed after it is removed', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock, 'faults'));
    const { page } = visited;
    await page.getByLabel('Operation').fill('listAgents');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByText('Respond with 503 on listAgents').waitFor();
    expect((await manage(mock, 'GET', '/agents')).status).toBe(503);
    await page.getByText('1 request affected of 1').waitFor();
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    await page.getByText('This world has no fault rules.').waitFor();
    expect((await manage(mock, 'GET', '/agents')).status).toBe(200);
    await page.getByLabel('Operation').fill('fly');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page
      .getByRole('alert')
      .getByText(/^operation: "fly"/)
      .waitFor();
  });

  test('metrics are plotted by group, and the message of an error response is displayed', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock, 'metrics'));
    const { page } = visited;
    await page.getByText('daily, 6 groups').waitFor();
    await page.locator('.plot canvas').waitFor();
    const total = await page.locator('.total').textContent();
    expect(total).toMatch(/^\$[\d,]+\.\d\d$/);
    await page.getByLabel('resource_type').uncheck();
    await page.getByText('daily, 1 group', { exact: false }).waitFor();
    await expect.poll(() => page.locator('.total').textContent()).toBe(total);
    await expect.poll(() => page.getByRole('img').getAttribute('aria-label')).toContain('Everything');
    await page.getByLabel('billing_dimension').check();
    await page.getByRole('columnheader', { name: 'Usage' }).waitFor();
    await page.getByLabel('Resolution').selectOption('hourly');
    await page.getByRole('alert').getByText('400').waitFor();
    await page.getByLabel('Window').selectOption('day');
    await page.getByText('hourly,').waitFor();
    expect(await mock.requests()).toEqual([]);
    expectNoErrors(Object.assign(visited, { errors: visited.errors.filter((error) => !error.includes('400')) }), mock);
  });

  test('a snapshot can be downloaded and restored, and the world can be reset', async () => {
    const mock = await start();
    await manage(mock, 'PUT', '/agents/demo-agent', agent('Before'));
    await using visited = await visit(consoleOf(mock, 'worlds'));
    const { page } = visited;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download a snapshot' }).click(),
    ]);
    const nameNow = async () => {
      const { metadata } = (await (await manage(mock, 'GET', '/agents/demo-agent')).json()) as ReturnType<typeof agent>;
      return metadata.displayName;
    };
    await manage(mock, 'PUT', '/agents/demo-agent', agent('After'));
    await expect.poll(() => nameNow()).toBe('After');
    await page.getByLabel('Snapshot to restore').setInputFiles(await download.path());
    await page.getByRole('status').getByText('was restored.').waitFor();
    await expect.poll(() => nameNow()).toBe('Before');
    await page.getByRole('button', { name: 'Reset…' }).click();
    await page.getByRole('button', { name: 'Reset the world' }).click();
    await page.getByRole('status').getByText('The world was reset.').waitFor();
    await expect.poll(() => nameNow()).toBe('Demo agent');
    expectNoErrors(visited, mock);
  });

  test('a script is added, responds, and is removed', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock, 'responses'));
    const { page } = visited;
    await page.getByRole('combobox', { name: 'Operation' }).fill('listAgents');
    await page.getByLabel('Afterwards').selectOption('operation');
    await page.getByRole('button', { name: 'Add the script' }).click();
    await rowOf(page, '503, 429, then operation on listAgents').waitFor();
    const list = () =>
      fetch(`${mock.addresses.management}/agents`, {
        headers: { authorization: `Bearer ${mock.target.credentials.apiKey.value}` },
      });
    expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([503, 429, 200]);
    await rowOf(page, '2 responses sent').waitFor();
    await page.getByRole('button', { name: 'Remove script 1' }).click();
    await page.getByText('This world has no scripted responses.').waitFor();
    expectNoErrors(visited, mock);
  });

  test('the status of a resource is set, with a message', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock));
    const { page } = visited;
    await rowOf(page, 'demo-agent-mk3').getByRole('button', { expanded: false }).click();
    const form = page.getByRole('form', { name: 'Status of demo-agent-mk3' });
    await form.getByLabel('Status').selectOption('FAILED');
    await form.getByLabel('Message of the event').fill('The disk is full.');
    await form.getByRole('button', { name: 'Set the status' }).click();
    await page.getByRole('status').getByText('The status of demo-agent-mk3 is FAILED.').waitFor();
    const events = rowOf(page, 'demo-agent-mk3').getByRole('list', { name: 'Events, the oldest first' });
    await events.getByText('The disk is full.').waitFor();
    const order = await events.getByRole('listitem').allTextContents();
    expect(order[0]).toContain('UPLOADING');
    expect(order.at(-1)).toContain('FAILED');
    await form.getByLabel('Status').selectOption('DEPLOYED');
    await form.getByRole('button', { name: 'Set the status' }).click();
    await page.getByRole('status').getByText('is DEPLOYED.').waitFor();
    await expect.poll(() => rowOf(page, 'demo-agent-mk3').getByText('DEPLOYED').count()).toBeGreaterThan(0);
    expectNoErrors(visited, mock);
  });

  test('a resource is created and deleted, and errors are shown; the journal stays empty', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock));
    const { page } = visited;
    await page.getByLabel('Kind').selectOption('Preview');
    await page.getByRole('button', { name: 'Create…' }).click();
    const form = page.getByRole('form', { name: 'New Preview' });
    await form.getByLabel('sandboxName').fill('no-such-box');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('Sandbox "no-such-box" does not exist.').waitFor();
    await form.getByLabel('sandboxName').fill('demo-box');
    await form.getByLabel('Body (JSON)').fill('{"metadata": {"name": "made-here"}, "spec": {"port": 3000}}');
    expect(await axeViolations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create' }).click();
    await rowOf(page, 'made-here').waitFor();
    await expect.poll(() => form.count()).toBe(0);
    expect((await manage(mock, 'GET', '/sandboxes/demo-box/previews/made-here')).status).toBe(200);
    await rowOf(page, 'made-here').getByRole('button').click();
    await page.getByRole('button', { name: 'Delete… made-here' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete… made-here' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('made-here was deleted.').waitFor();
    expect((await manage(mock, 'GET', '/sandboxes/demo-box/previews/made-here')).status).toBe(404);
    expect((await mock.requests()).map(({ operation }) => operation)).toEqual([
      'getSandboxPreview',
      'getSandboxPreview',
    ]);
  });

  test('every kind can be chosen and created', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock));
    const { page } = visited;
    await page.locator('.row').first().waitFor();
    const options = await page.getByLabel('Kind').getByRole('option').allTextContents();
    expect(options).toHaveLength(16);
    expect(options[0]).toMatch(/^Agent \(\d+(, \d+ in transition)?\)$/);
    await page.getByRole('button', { name: 'Create…' }).click();
    for (const option of options) {
      const kind = option.replace(/ \(.*/, '');
      await page.getByLabel('Kind').selectOption(kind);
      const body = page.getByRole('form', { name: `New ${kind}`, exact: true }).getByLabel('Body (JSON)');
      await expect.poll(() => body.inputValue()).toMatch(/^\{\s+"/);
    }
    await page.getByLabel('Kind').selectOption('Agent');
    await page.getByRole('form', { name: 'New Agent' }).getByText('Body (JSON)').waitFor();
    await expect.poll(() => page.getByLabel('Body (JSON)').inputValue()).toContain('"new-agent"');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await rowOf(page, 'new-agent').waitFor();
    expectNoErrors(visited, mock);
  });

  test('a request of the journal is copied as curl', async () => {
    const mock = await start();
    await manage(mock, 'PUT', '/agents/demo-agent', agent("it's"));
    await using visited = await visit(consoleOf(mock, 'journal'));
    const { page } = visited;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await rowOf(page, 'PUT').getByRole('button').click();
    await page.getByRole('button', { name: /^Copy as curl/ }).click();
    await page.getByRole('button', { name: /^Copied/ }).waitFor();
    const line = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(line).toContain(`curl -sS -i -X PUT ${mock.addresses.management}/agents/demo-agent`);
    const command = line.replaceAll(/-sS -i /g, '-sS ');
    const env = { ...process.env, ASSAY_ADMIN_TOKEN: mock.target.credentials.admin.value };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
    expect(JSON.parse(stdout)).toMatchObject({ metadata: { displayName: "it's" } });
    expectNoErrors(visited, mock);
  });

  test('calls of workloads are listed, also those during the visit and while the clock is frozen', async () => {
    const mock = await start();
    const callAgent = (inputs: string) =>
      fetch(`${mock.addresses.inference}/demo/agents/demo-agent`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${mock.target.credentials.apiKey.value}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ inputs }),
      });
    await callAgent(HOSTILE);
    await using visited = await visit(consoleOf(mock, 'calls'));
    await rowOf(visited.page, 'agents/demo-agent, call').waitFor();
    await callAgent('second');
    await rowOf(visited.page, 'agents/demo-agent, call: second').waitFor();
    expect(await visited.page.title()).not.toBe('taken');
    expectNoErrors(visited, mock);
  });

  test('a world can be created, opened, and removed from the console of the first', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock, 'worlds'));
    const { page } = visited;
    await page.getByLabel('Id').fill('other');
    await page.getByLabel('Seed').fill('9');
    await page.getByRole('button', { name: 'Create the world' }).click();
    await page.getByRole('link', { name: 'other' }).click();
    await page.getByText('world other').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/_mock/w/other/_mock/');
    await expect.poll(() => page.locator('.key-figures').textContent()).toContain('Seed9');
    await goTo(page, 'Worlds');
    await page.getByRole('link', { name: 'first world' }).click();
    await goTo(page, 'Worlds');
    await page.getByRole('button', { name: 'Remove the world other' }).click();
    await page.getByRole('status').getByText('The world other was removed.').waitFor();
    expectNoErrors(visited, mock);
  });

  test('tokens are listed, and a minted token has the requested scopes', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock, 'tokens'));
    const { page } = visited;
    await expect
      .poll(() => rowOf(page, 'JWT of an account admin').locator('code').textContent())
      .toBe(mock.target.credentials.admin.value);
    await page.getByLabel('Kind').selectOption('api-key');
    await page.getByLabel('Scopes (space-separated)').fill('agents:get agents:list');
    await page.getByRole('button', { name: 'Mint', exact: true }).click();
    const minted = await rowOf(page, 'agents:get agents:list, until').locator('code').textContent();
    const as = (path: string) =>
      fetch(mock.addresses.management + path, { headers: { authorization: `Bearer ${minted}` } });
    expect([(await as('/agents')).status, (await as('/jobs')).status]).toEqual([200, 403]);
    expectNoErrors(visited, mock);
  });

  test('with a control token, the page reveals nothing before login and stores the token only in the tab', async () => {
    const mock = await start({ controlToken: 'open-sesame' });
    await using visited = await visit(consoleOf(mock));
    const { page } = visited;
    await page.getByRole('heading', { name: 'This mock requires access' }).waitFor();
    expect(await page.content()).not.toMatch(/acc-demo|demo-agent/);
    await page.getByLabel('Control token').fill('wrong');
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.getByText('Invalid control token.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Control token').fill('open-sesame');
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.getByRole('navigation').waitFor();
    await goTo(page, 'Journal');
    await page.getByText('0 requests · live').waitFor();
    expect(await page.evaluate('[Object.keys(sessionStorage).length, localStorage.length, document.cookie]')).toEqual([
      1,
      0,
      '',
    ]);
  });

  test('hostile names and bodies are rendered as inert text', async () => {
    const mock = await start();
    await manage(mock, 'PUT', '/agents/demo-agent', agent(HOSTILE.slice(0, 60)));
    await manage(mock, 'POST', '/agents', { metadata: { name: HOSTILE }, spec: HOSTILE });
    await fetch(`${mock.addresses.management}/${encodeURIComponent(HOSTILE)}?q=${encodeURIComponent(HOSTILE)}`);
    await using visited = await visit(consoleOf(mock));
    const { page } = visited;
    await rowOf(page, '<img').getByRole('button').click();
    await page.getByRole('region', { name: 'demo-agent as JSON' }).getByText('<img').waitFor();
    await goTo(page, 'Journal');
    await page.getByText(/requests? · live/).waitFor();
    for (const row of await page.locator('.rows > li > button').all()) await row.click();
    await expect.poll(() => page.getByText('onerror').count()).toBeGreaterThan(3);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain(String.raw`</script>\u{202e}.`);
    expect(text).not.toContain('\u202e');
    await expect.poll(() => page.locator('main :is(img, script)').count()).toBe(0);
    expect(await page.title()).not.toBe('taken');
    expectNoErrors(visited, mock);
  });

  const sections = ['Resources', 'Journal', 'Verify', 'Faults', 'Responses', 'Calls', 'Metrics', 'Tokens', 'Worlds'];

  test('axe-core finds no violations', async () => {
    const mock = await start();
    await manage(mock, 'PUT', '/agents/demo-agent', agent('Opened'));
    await manage(mock, 'GET', '/agents/missing');
    await using visited = await visit(consoleOf(mock));
    const { page } = visited;
    for (const section of sections) {
      await goTo(page, section);
      if (section === 'Metrics') await page.locator('.plot canvas').waitFor();
      else if (section === 'Faults') {
        await page.getByLabel('Operation').fill('listJobs');
        await page.getByRole('button', { name: 'Add the rule' }).click();
        await page.getByText('Respond with 503 on listJobs').waitFor();
      } else if (section === 'Resources' || section === 'Journal') await page.locator('.row').first().click();
      await page.locator('main').waitFor();
      expect([section, await axeViolations(page)]).toEqual([section, []]);
    }
    await page.getByRole('button', { name: 'Reset…' }).click();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('axe-core finds no violations in the authorization page', async () => {
    const mock = await start();
    const redirectUri = mock.target.client?.redirectUri ?? '';
    const query = new URLSearchParams({ response_type: 'code', client_id: 'demo-client', redirect_uri: redirectUri });
    await using visited = await visit(`${mock.addresses.host}/oauth/authorize?${query.toString()}`);
    await visited.page.getByRole('button', { name: 'Allow' }).waitFor();
    expect(await axeViolations(visited.page)).toEqual([]);
  });

  test('at phone width the page does not scroll horizontally', async () => {
    const mock = await start();
    await manage(mock, 'PUT', '/agents/demo-agent', agent('A name that is rather long for the width of a phone'));
    await using visited = await visit(consoleOf(mock), { viewport: { width: 390, height: 844 } });
    const { page } = visited;
    for (const section of sections) {
      await goTo(page, section);
      expect([section, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([
        section,
        true,
      ]);
    }
  });

  test('a resource can be opened with the keyboard alone', async () => {
    const mock = await start();
    await using visited = await visit(consoleOf(mock));
    const { page } = visited;
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    for (let steps = 0; steps < 60 && !(await page.evaluate("document.activeElement.matches('.row')")); steps++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.row').first().getAttribute('aria-expanded')).toBe('true');
  });
});
