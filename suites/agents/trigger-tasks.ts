/** agents.triggers.accepted-tasks-returned: the tasks of a cron trigger, whose fields are not documented. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { putValid } from '../kit/agents/test-agent.ts';
import { withTestAgents } from '../kit/agents/test-agents.ts';
import { sampleSchedule } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';
import { triggersIn } from './triggers.ts';

const TASKS: readonly Fields[] = [{ name: 'First  Task' }, { name: 'second', count: 2 }, { name: 'third' }];

export async function checkTasksReturned(run: Run): Promise<void> {
  const triggers = [{ type: 'cron', configuration: { schedule: sampleSchedule(run), tasks: TASKS } }];
  let acceptedCount = 0;
  let missing: string | undefined;
  await withTestAgents(run, (agents) =>
    run.forEach(agents.generations, async (agent) => {
      const { exchange, missing: lacking } = await putValid(run, agents.of(agent), { triggers });
      missing ??= lacking;
      if (!isSuccessful(exchange)) return [];
      acceptedCount += 1;
      return lostTasks(exchange);
    }),
  );
  run.need(acceptedCount, missing ?? `an agent that accepts the tasks ${JSON.stringify(TASKS)}`);
}

/** A server may drop members of a task that it does not know, but no task. The order is not documented. */
function lostTasks(exchange: Exchange): Mismatch[] {
  return triggersIn(exchange).flatMap(({ configuration }): Mismatch[] => {
    const tasks = configuration?.['tasks'];
    const isComplete = Array.isArray(tasks) && tasks.length === TASKS.length && tasks.every(isSentTask);
    if (isComplete) return [];
    return [
      { expected: `tasks: ${JSON.stringify(TASKS)}`, actual: `tasks: ${JSON.stringify(tasks) ?? 'absent'}`, exchange },
    ];
  });
}

/** Whether the members that it still has are those of one of the sent tasks. */
const isSentTask = (task: unknown): boolean =>
  isFields(task) &&
  TASKS.some((sent) =>
    ['name', 'count'].every((member) => task[member] === undefined || task[member] === sent[member]),
  );
