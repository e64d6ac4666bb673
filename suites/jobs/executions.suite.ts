/** jobs.executions.*: executions with arbitrary task arguments. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { eventually, isSuccessful, pollUntilTimeout } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
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
    async ({ tasks }) => statusClass(await freed(() => executed(tasks)), '2xx'),
    { runs: Math.ceil(run.runs / 20), examples: LISTS.map((tasks) => ({ tasks })) },
  );
});
