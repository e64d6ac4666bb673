/** agents.triggers.accepted-tasks-returned: the tasks of a cron trigger, whose fields are not documented. */
import { isDeepStrictEqual } from 'node:util';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { configurationOf, elementsOf, isAcceptedUpdate, sentTriggers } from '../kit/agents/seen-update.ts';
import { put, putValid } from '../kit/agents/test-agent.ts';
import { failureAgain } from '../kit/failure-again.ts';
import { withTestAgents } from '../kit/agents/test-agents.ts';
import { sampleSchedule } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';
import { triggersIn } from './triggers.ts';

type Tasks = readonly Fields[];

const MADE_UP: Tasks = [{ name: 'First  Task' }, { name: 'second', count: 2 }, { name: 'third' }];

export const sampleTasks = ({ target: { samples } }: Run): Tasks => samples.tasks ?? MADE_UP;

export async function checkTasksReturned(run: Run): Promise<void> {
  const tasks = sampleTasks(run);
  const triggers = [{ type: 'cron', configuration: { schedule: sampleSchedule(run), tasks } }];
  let acceptedCount = 0;
  let missing: string | undefined;
  let refusal: string | undefined;
  await withTestAgents(run, (agents) =>
    run.forEach(agents.generations, async (agent) => {
      const { exchange, missing: lacking } = await putValid(run, agents.of(agent), { triggers });
      missing ??= lacking;
      if (!isSuccessful(exchange)) {
        const plain = await put(run, agents.of(agent));
        // Then the tasks are not what it refuses.
        if (!isSuccessful(plain)) refusal = `an update without them returned ${plain.response.status}`;
        return failureAgain(
          [exchange],
          async () => plain,
          async () => [await put(run, agents.of(agent), { triggers })],
        );
      }
      acceptedCount += 1;
      return lostTasks(exchange, tasks);
    }),
  );
  const advice =
    run.target.samples.tasks === undefined ? 'set samples.tasks in the target file' : 'it refuses samples.tasks';
  const cause = refusal ?? advice;
  run.need(acceptedCount, missing ?? `an agent that accepts the tasks ${JSON.stringify(tasks)}: ${cause}`);
}

/** The tasks of each cron trigger of an accepted update. */
export function judgeTasks(seen: Seen, facts: Facts): Judged {
  const lists = sentTriggers(seen)
    .filter(({ type }) => type === 'cron')
    .map((trigger) => elementsOf(configurationOf(trigger)['tasks']))
    .filter(({ length }) => length > 0);
  if (lists.length === 0 || !isAcceptedUpdate(seen, facts)) return undefined;
  return lists.flatMap((tasks) => lostTasks(seen.exchange, tasks));
}

/** A server may drop members of a task that it does not know, but no task. The order is not documented. It may add other triggers. */
function lostTasks(exchange: Exchange, sent: Tasks): Mismatch[] {
  const returned = triggersIn(exchange).map(({ configuration }) => configuration?.['tasks']);
  const isComplete = (tasks: unknown): boolean =>
    Array.isArray(tasks) && tasks.length === sent.length && tasks.every((task) => isSentTask(task, sent));
  if (returned.some(isComplete)) return [];
  const actual = returned.map((tasks) => JSON.stringify(tasks) ?? 'absent').join('; ');
  return [{ expected: `tasks: ${JSON.stringify(sent)}`, actual: `tasks: ${actual || 'no trigger'}`, exchange }];
}

/** Whether the members that it still has are those of one of the sent tasks. */
const isSentTask = (task: unknown, tasks: Tasks): boolean =>
  isFields(task) &&
  tasks.some((sent) =>
    [...membersOf(tasks)].every(
      (member) => task[member] === undefined || isDeepStrictEqual(task[member], sent[member]),
    ),
  );

const membersOf = (tasks: Tasks): Set<string> => new Set(tasks.flatMap((task) => Object.keys(task)));
