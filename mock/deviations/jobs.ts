/** Deviations of executing jobs. */
import { isFor, stateful, type App, type Fault } from './deviation.ts';
import type { Table } from './table.ts';

type Task = Readonly<Record<string, unknown>>;

function refuses(status: number, concerns: (tasks: readonly Task[]) => boolean): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, ['createJobExecution']) || ctx.state.reply?.status !== 200) return;
      const { tasks } = ctx.state.body as { tasks: readonly Task[] };
      if (!concerns(tasks)) return;
      ctx.state.reply = { status, body: { error: 'refused', code: status, message: 'The job does not take that.' } };
    };
  return { kind: 'refuse', condition: 'createJobExecution', wrap };
}

const values = (tasks: readonly Task[]): unknown[] => tasks.flatMap((task) => Object.values(task));
const isObjectOrList = (value: unknown): value is object => typeof value === 'object' && value !== null;
const depth = (value: unknown): number =>
  isObjectOrList(value) ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;

export const jobsDeviations: Table = {
  'jobs.executions.accepted': {
    'refuses tasks whose arguments are objects or lists': refuses(400, (tasks) => values(tasks).some(isObjectOrList)),
    'refuses arguments that are not a string, list or object': refuses(400, (tasks) =>
      values(tasks).some((value) => ['number', 'boolean'].includes(typeof value)),
    ),
    'refuses more than one task': refuses(400, (tasks) => tasks.length > 1),
    'returns 502 for more than eight tasks': refuses(502, (tasks) => tasks.length > 8),
    'returns 500 for more than ten tasks': refuses(500, (tasks) => tasks.length > 10),
    'refuses a task without arguments after the first': refuses(400, (tasks) =>
      tasks.some((task, at) => at > 0 && Object.keys(task).length === 0),
    ),
    'refuses tasks whose arguments differ': refuses(422, ([first, ...others]) =>
      others.some((task) => Object.keys(task).join() !== Object.keys(first ?? {}).join()),
    ),
    'refuses equal tasks': refuses(
      409,
      (tasks) => new Set(tasks.map((task) => JSON.stringify(task))).size < tasks.length,
    ),
    'returns 500 for a dot in the name of an argument': refuses(500, (tasks) =>
      tasks.some((task) => Object.keys(task).some((name) => name.includes('.'))),
    ),
    'refuses null as an argument': refuses(400, (tasks) => values(tasks).includes(null)),
    'returns 500 for arguments nested eight deep': refuses(500, (tasks) => depth(tasks) > 8),
    'refuses every execution after one of many tasks': stateful(() => {
      let isBusy = false;
      return refuses(409, (tasks) => {
        const wasBusy = isBusy;
        isBusy ||= tasks.length > 3;
        return wasBusy;
      });
    }),
  },
};
