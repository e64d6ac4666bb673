/** agents.runtime.bounds: whether requests to a disabled agent are refused, and whether their number is billed. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import { put } from '../kit/agents/test-agent.ts';
import type { TestAgent } from '../kit/agents/test-agent.ts';
import { servesAgain } from '../kit/provision/late-updates.ts';
import { requestMetrics } from '../kit/metrics/request.ts';
import { DAY, SECOND, windowOf } from '../kit/metrics/windows.ts';
import type { Exchange } from '../target/client.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';

const PATH = 'assay-counted';
const triggers = [{ id: PATH, type: 'http-async', configuration: { path: `/${PATH}` } }];

/** Then an agent that is enabled again should serve its trigger, if the target has async triggers. */
const ENABLED_SECONDS = 10;

/** How long usage may take to appear: milliseconds before each look. The end of a window has whole seconds and is exclusive. */
const PAUSES_MS = [1100, 2000, 4000];

/** Sends a request to the disabled agent, and one to the enabled agent, whose usage shows that requests are counted by then. */
export async function observeDisabledAgent(run: Run, testAgent: TestAgent): Promise<void> {
  const before = await countOf(run, testAgent);
  let accepted = 0;
  let refused = 0;
  const send = async (): Promise<Exchange> => {
    const input = { path: { agent: testAgent.name, triggerPath: PATH }, body: { inputs: 'hello' } };
    const exchange = await run.client.call('queryAgentTrigger', input);
    if (isSuccessful(exchange)) accepted += 1;
    else refused += 1;
    return exchange;
  };
  if (!isSuccessful(await put(run, testAgent, { enabled: false, triggers }))) return;
  const last = await eventually(send, (exchange) => !isSuccessful(exchange), run.patienceSeconds);
  run.observe('an async request to a disabled agent', { status: last.response.status });
  if (!isSuccessful(await put(run, testAgent, { enabled: true, triggers })) || before === undefined) return;
  const seconds = Math.min(ENABLED_SECONDS, run.patienceSeconds);
  if (!isSuccessful(await eventually(send, isSuccessful, seconds)) || refused === 0) return;
  await servesAgain(run, testAgent.name);
  const count = await steadyCount(run, testAgent, before);
  if (count === undefined) return;
  const counted = count - before;
  if (counted === accepted) run.observe('the usage of a disabled agent', 'not counted');
  if (counted === accepted + refused) run.observe('the usage of a disabled agent', 'counted');
}

/** The first higher count that occurs twice in a row, because requests may be counted one by one. Otherwise undefined. */
async function steadyCount(run: Run, testAgent: TestAgent, before: number): Promise<number | undefined> {
  let last = before;
  for (const pause of PAUSES_MS) {
    await wait(pause);
    const count = (await countOf(run, testAgent)) ?? before;
    if (count > before && count === last) return count;
    last = count;
  }
  return undefined;
}

/** Requests to async triggers within the last day; undefined if the target does not say. */
async function countOf(run: Run, { name }: TestAgent): Promise<number | undefined> {
  if (run.target.account === undefined) return undefined;
  const billingDimension = 'agent_async_requests_count';
  const now = Math.floor(Date.now() / SECOND) * SECOND;
  const query = {
    ...windowOf(now - DAY, now),
    resolution: 'hourly',
    groupBy: 'billing_dimension',
    billingDimension,
    resourceName: name,
  };
  const exchange = await requestMetrics(run.client, query);
  const data = fieldsOf(exchange.response.json)?.['data'];
  if (!isSuccessful(exchange) || !Array.isArray(data)) return undefined;
  return data.reduce((sum: number, entry) => sum + Number(fieldsOf(fieldsOf(entry)?.['summary'])?.['usage'] ?? 0), 0);
}
