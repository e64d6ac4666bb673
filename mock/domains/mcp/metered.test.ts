import { afterAll, beforeAll, expect, test } from 'vitest';
import { callManagement, changeMock } from '../../testing/control-client.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { begin, request, send } from '../../testing/mcp-client.ts';

const START = '2026-11-21T07:00:30.000Z';
const END = '2026-11-21T07:00:31.000Z';
let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: Date.parse(START) });
});
afterAll(() => mock.close());

/** GB-seconds of the function in the second that everything happens in, read when it is over. */
async function usage(): Promise<number> {
  const { host } = mock.addresses;
  await changeMock(host, 'PUT', '/clock', { now: END });
  const path = `/accounts/acc-demo/metrics?startTime=${START}&endTime=${END}&groupBy=billing_dimension`;
  const filter = '&resourceName=demo-tools&billingDimension=mcp_server_compute_runtime_gbs';
  const { body } = await callManagement(host, mock.target.credentials.admin.value, 'GET', path + filter);
  await changeMock(host, 'PUT', '/clock', { now: START });
  return (body as { data: { summary: { usage: number } }[] }).data[0]?.summary.usage ?? 0;
}

test('each request to a function is metered and listed as an invocation', async () => {
  const session = await begin(mock);
  const [before, { invocations }] = [await usage(), mock.world.inference];
  const listed = invocations.length;
  const call = request(1, 'tools/call', { name: 'echo', arguments: { text: 'Hi' } });
  expect((await send(mock, { headers: session, body: call })).status).toBe(200);
  expect((await usage()) - before).toBe(2);
  expect(invocations.slice(listed)).toEqual([
    {
      at: Date.parse(START),
      workspace: 'demo',
      workload: 'functions/demo-tools',
      by: 'call',
      inputs: '{"method":"tools/call","params":{"name":"echo","arguments":{"text":"Hi"}}}',
      status: 200,
    },
  ]);
});

test('notifications and requests without a session are neither metered nor listed', async () => {
  const session = await begin(mock);
  const listed = mock.world.inference.invocations.length;
  await send(mock, { headers: session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  expect((await send(mock, { body: request(1, 'tools/list') })).status).toBe(400);
  expect(mock.world.inference.invocations.length).toBe(listed);
});
