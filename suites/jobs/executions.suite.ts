/** jobs.executions.*: executions with arbitrary task arguments, and what they cost. */
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { conforms, observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { eventually, isSuccessful, pollUntilTimeout } from '../target/eventually.ts';
import { acceptedUnlessLarge, levelsOf, PLAIN_CHARACTERS } from '../kit/large-input.ts';
import { statusClass } from '../expect/status.ts';
import { fieldsOf } from '../json/fields.ts';
import { requestMetrics } from '../kit/metrics/request.ts';
import { DAY, HOUR, SECOND, windowOf } from '../kit/metrics/windows.ts';
import { shrinkable, withoutAnElement } from '../generators/shrinkable.ts';
import { task } from '../generators/task.ts';
import type { Task } from '../generators/task.ts';
import type { Exchange } from '../target/client.ts';

const DEEP: Task = { a: { b: { c: { d: { e: [[[{ f: null }]]] } } } } };

const LISTS: readonly Task[][] = [
  [{}],
  [{ name: 'one' }],
  [{ name: 'one' }, { name: 'two' }],
  [{ name: 'one' }, { name: 'one' }],
  [{ name: 'one' }, { count: 2 }, {}],
  [{ list: [] }, { list: [1, 'a', null, true, {}] }],
  [{ nothing: null, yes: true, no: false, zero: 0, half: 0.5, below: -1, large: 9_007_199_254_740_991 }],
  [DEEP],
  [{ text: 'x'.repeat(2000) }],
  [{ 'with space': 1, 'a.b': 2, $set: 3, größe: 4, 日本: '🙂' }],
  Array.from({ length: 12 }, (_, at) => ({ at })),
];

/** The number of concurrent executions is undocumented: one may have to end before another can start. */
const isFree = ({ response: { status } }: Exchange): boolean => ![409, 423, 503].includes(status);

const firstExecution = sharedValue<Exchange>();

conforms('jobs.executions.accepted', async (run) => {
  const jobName = run.need(run.target.resources.job, 'a job');
  const executed = (tasks: Task[]): Promise<Exchange> =>
    run.client.call('createJobExecution', { path: { jobName }, body: { tasks } });
  const first = () => eventually(() => executed([{}]), isSuccessful, run.patienceSeconds);
  run.check(statusClass(await firstExecution.get(run, first), '2xx'));
  const freed = pollUntilTimeout(isFree, run.patienceSeconds);
  // Each execution uses an instance, so sends only a few.
  await run.forAll(
    { tasks: shrinkable(fc.array(task, { minLength: 1, maxLength: 4 }), withoutAnElement(1)) },
    async ({ tasks }) =>
      acceptedUnlessLarge(run, await freed(() => executed(tasks)), {
        tasks: [tasks.length, 3],
        'characters of tasks': [JSON.stringify(tasks).length, PLAIN_CHARACTERS],
        'levels of tasks': [levelsOf(tasks), 4],
      }),
    { runs: Math.ceil(run.runs / 20), examples: LISTS.map((tasks) => ({ tasks })) },
  );
});

/** How long a cost may take to appear: milliseconds before each look. */
const PAUSES_MS = [2000, 4000, 8000];

observes('jobs.executions.billed', async (run) => {
  const jobName = run.need(run.target.resources.job, 'a job');
  run.need(run.target.account, 'an account');
  const start = Math.floor(Date.now() / HOUR) * HOUR - DAY;
  const before = run.need(await costSince(run, start, jobName), 'the cost of a job').usd;
  const execution = await run.client.call('createJobExecution', { path: { jobName }, body: { tasks: [{}] } });
  run.need(isSuccessful(execution), 'an execution');
  for (const pause of PAUSES_MS) {
    await wait(pause);
    const after = (await costSince(run, start, jobName))?.usd ?? before;
    if (after === before) continue;
    return run.observe('the cost of a job after an execution', after > before ? 'higher' : 'lower');
  }
  const seconds = PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / SECOND;
  run.need(false, `an execution whose cost appears within ${seconds} seconds`);
});

/** Of executions, because storage costs more from second to second anyway. */
const billingDimension = 'job_compute_runtime_gbs';

/** From an instant until now. The end of a window has whole seconds and is exclusive. Undefined if the target does not say. */
async function costSince(run: Run, start: number, resourceName: string): Promise<{ readonly usd: number } | undefined> {
  const end = Math.floor(Date.now() / SECOND) * SECOND;
  const query = { ...windowOf(start, end), resolution: 'hourly', resourceType: 'job', resourceName, billingDimension };
  const { response } = await requestMetrics(run.client, query);
  const usd = fieldsOf(fieldsOf(response.json)?.['summary'])?.['totalCost'];
  return typeof usd === 'number' ? { usd } : undefined;
}
