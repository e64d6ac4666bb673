import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callControl, changeMock } from '../../testing/control-client.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';

const NOW = Date.parse('2026-11-21T07:00:30Z');

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: NOW });
});
beforeEach(async () => {
  await changeMock(mock.addresses.host, 'POST', '/reset');
});
afterAll(() => mock.close());

/** `path` is below the root of the mock; an empty token sends none. */
async function send(path: string, body?: unknown, token = mock.target.credentials.apiKey.value) {
  const response = await fetch(mock.addresses.host + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
}

const advance = (advanceMs: number) => callControl(mock.addresses.host, 'PUT', '/clock', { advanceMs });
const ids = (executions: { id: string }[]) => executions.map(({ id }) => id);

const addresses = ['/demo/jobs', '/v0/jobs'];

describe.each(addresses)('below %s', (jobs) => {
  const executions = `${jobs}/demo-job/executions`;

  test('an execution is created, read and listed, oldest first', async () => {
    const { status, body: first } = await send(executions, { tasks: [{ name: 'one', deep: [{ a: null }] }] });
    expect([status, first]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        job: 'demo-job',
        workspace: 'demo',
        status: 'PENDING',
        createdAt: '2026-11-21T07:00:30.000Z',
        createdBy: 'deployer',
        tasks: [{ arguments: { name: 'one', deep: [{ a: null }] }, status: 'PENDING', attempts: [] }],
      },
    ]);
    const { body: second } = await send(executions, { tasks: [] });
    expect(await send(`${executions}/${first.id}`)).toEqual({ status: 200, body: first });
    expect((await send(executions)).body).toEqual([first, second]);
  });

  test('its tasks run one after another as the virtual clock advances', async () => {
    const { body: created } = await send(executions, { tasks: [{ a: 1 }, {}] });
    const after = async (ms: number) => {
      await advance(ms);
      const { body } = await send(`${executions}/${created.id}`);
      const ofTasks = body.tasks.map(({ status }: { status: string }) => status);
      return [body.status, ...ofTasks, body.startedAt, body.completedAt];
    };
    const [started, completed] = ['2026-11-21T07:00:30.200Z', '2026-11-21T07:00:31.200Z'];
    expect(await after(199)).toEqual(['PENDING', 'PENDING', 'PENDING', undefined, undefined]);
    expect(await after(1)).toEqual(['RUNNING', 'RUNNING', 'PENDING', started, undefined]);
    expect(await after(500)).toEqual(['RUNNING', 'SUCCEEDED', 'RUNNING', started, undefined]);
    expect(await after(500)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', started, completed]);
    expect(await after(86_400_000)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', started, completed]);
  });

  test('an unknown job and an unknown execution are 404', async () => {
    const { body } = await send(executions, { tasks: [] });
    const unknown = [
      await send(`${jobs}/no-job/executions`, { tasks: [] }),
      await send(`${jobs}/no-job/executions`),
      await send(`${jobs}/no-job/executions/${body.id}`),
      await send(`${executions}/${body.id}x`),
    ];
    expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(unknown[0]?.body.message).toContain('"no-job"');
  });

  test.each<[unknown, RegExp]>([
    [{}, /tasks is required and missing/],
    [{ tasks: { name: 'one' } }, /tasks must be an array/],
    [{ tasks: null }, /tasks must be an array; found null/],
    [{ tasks: ['one'] }, /tasks\/0 must be an object; found "one"/],
    [{ tasks: [{}, null] }, /tasks\/1 must be an object; found null/],
    [[], /must be an object/],
  ])('%j is a bad request that starts nothing', async (wrong, words) => {
    const { status, body } = await send(executions, wrong);
    expect([status, body.message]).toEqual([400, expect.stringMatching(words)]);
    expect((await send(executions)).body).toEqual([]);
  });

  test('a foreign token and a missing token are rejected', async () => {
    const { body: minted } = await callControl(mock.addresses.host, 'POST', '/tokens', { account: 'acc-other' });
    const { body: other } = await callControl(mock.addresses.host, 'POST', '/worlds', {});
    const { id, target } = other as { id: string; target: RunningMock['target'] };
    const ofOtherWorld = target.credentials.admin.value;
    const statusWith = async (token: string) => (await send(executions, { tasks: [] }, token)).status;
    expect(await statusWith(ofOtherWorld)).toBe(401);
    expect(await statusWith('')).toBe(401);
    // On the host the path names the workspace; below the management prefix the credential's own has no such job.
    const foreign = await statusWith((minted as { token: string }).token);
    expect(foreign).toBe(jobs === '/demo/jobs' ? 403 : 404);
    expect((await send(executions)).body).toEqual([]);
    await changeMock(mock.addresses.host, 'DELETE', `/worlds/${id}`);
  });
});

test('both addresses show the same executions', async () => {
  const [host = '', management = ''] = addresses.map((jobs) => `${jobs}/demo-job/executions`);
  const made = [(await send(host, { tasks: [{}] })).body, (await send(management, { tasks: [{}] })).body];
  for (const executions of [host, management]) expect(ids((await send(executions)).body)).toEqual(ids(made));
  expect((await send(`${management}/${made[0].id}`)).body).toEqual(made[0]);
  expect((await send(`${host}/${made[1].id}`)).body).toEqual(made[1]);
});

test('the management API requires the scope admin, the host no scope', async () => {
  const { body } = await callControl(mock.addresses.host, 'POST', '/tokens', { scopes: ['jobs:get'] });
  const { token } = body as { token: string };
  const statuses = addresses.map(async (jobs) => (await send(`${jobs}/demo-job/executions`, undefined, token)).status);
  expect(await Promise.all(statuses)).toEqual([200, 403]);
});

test('each task is metered when it completes: a job of 1 GB needs half a second per task', async () => {
  const window = 'startTime=2026-11-21T00:00:00Z&endTime=2026-11-22T00:00:00Z&groupBy=billing_dimension';
  const of = 'resourceName=demo-job&billingDimension=job_compute_runtime_gbs';
  const usageAfter = async (ms: number) => {
    await advance(ms);
    const { body } = await send(`/v0/accounts/acc-demo/metrics?${window}&${of}`);
    return Number(body.data[0]?.summary.usage ?? 0);
  };
  expect(await usageAfter(60_000)).toBe(0);
  await send('/demo/jobs/demo-job/executions', { tasks: [{}, {}, {}, {}] });
  expect([await usageAfter(2199), await usageAfter(60_000)]).toEqual([1.5, 2]);
});

test('a job accepts executions only while it is deployed', async () => {
  const created = await send('/v0/jobs', { metadata: { name: 'fresh' }, spec: {} });
  expect(created.body.status).toBe('UPLOADING');
  for (const jobs of addresses) {
    const { status, body } = await send(`${jobs}/fresh/executions`, { tasks: [] });
    expect([status, body.message]).toEqual([503, 'Job "fresh" is UPLOADING; it serves requests when it is DEPLOYED.']);
    expect((await send(`${jobs}/fresh/executions`)).body).toEqual([]);
  }
  await advance(1000);
  for (const jobs of addresses) expect((await send(`${jobs}/fresh/executions`, { tasks: [] })).status).toBe(200);
});

test('a disabled job rejects executions', async () => {
  await send('/v0/jobs', { metadata: { name: 'idle' }, spec: { enabled: false } });
  await advance(1000);
  const { status, body } = await send('/demo/jobs/idle/executions', { tasks: [{}] });
  expect([status, body.message]).toEqual([503, 'Job "idle" is disabled (spec.enabled is false).']);
});
