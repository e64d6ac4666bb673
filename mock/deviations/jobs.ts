/** Deviations of executing jobs. */
import { deviationsOf } from './table.ts';
import { statefulDeviation } from './stateful-deviation.ts';
import { isFor, type App, type Deviation, type Deviations } from './deviation.ts';

type Task = Readonly<Record<string, unknown>>;

function refuses(what: string, status: number, concerns: (tasks: readonly Task[]) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, ['createJobExecution']) || ctx.state.reply?.status !== 200) return;
      const { tasks } = ctx.state.body as { tasks: readonly Task[] };
      if (!concerns(tasks)) return;
      ctx.state.reply = { status, body: { error: 'refused', code: status, message: 'The job does not take that.' } };
    };
  return { what, effect: 'refuse', condition: 'createJobExecution', wrap };
}

const values = (tasks: readonly Task[]): unknown[] => tasks.flatMap((task) => Object.values(task));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const depth = (value: unknown): number => (isObject(value) ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0);

export const jobsDeviations: Deviations = deviationsOf({
  'jobs.executions.accepted': {
    '': refuses('Refuses tasks whose arguments are objects or lists', 400, (tasks) => values(tasks).some(isObject)),
    numbers: refuses('Refuses arguments that are not a string, list or object', 400, (tasks) =>
      values(tasks).some((value) => ['number', 'boolean'].includes(typeof value)),
    ),
    one: refuses('Refuses more than one task', 400, (tasks) => tasks.length > 1),
    eight: refuses('Returns 502 for more than eight tasks', 502, (tasks) => tasks.length > 8),
    ten: refuses('Returns 500 for more than ten tasks', 500, (tasks) => tasks.length > 10),
    empty: refuses('Refuses a task without arguments after the first', 400, (tasks) =>
      tasks.some((task, at) => at > 0 && Object.keys(task).length === 0),
    ),
    unlike: refuses('Refuses tasks whose arguments differ', 422, ([first, ...others]) =>
      others.some((task) => Object.keys(task).join() !== Object.keys(first ?? {}).join()),
    ),
    alike: refuses(
      'Refuses equal tasks',
      409,
      (tasks) => new Set(tasks.map((task) => JSON.stringify(task))).size < tasks.length,
    ),
    names: refuses('Returns 500 for a dot in the name of an argument', 500, (tasks) =>
      tasks.some((task) => Object.keys(task).some((name) => name.includes('.'))),
    ),
    null: refuses('Refuses null as an argument', 400, (tasks) => values(tasks).includes(null)),
    deep: refuses('Returns 500 for arguments nested eight deep', 500, (tasks) => depth(tasks) > 8),
    'never-free': statefulDeviation('Refuses every execution after one of many tasks', (what) => {
      let isBusy = false;
      return refuses(what, 409, (tasks) => {
        const wasBusy = isBusy;
        isBusy ||= tasks.length > 3;
        return wasBusy;
      });
    }),
  },
});
