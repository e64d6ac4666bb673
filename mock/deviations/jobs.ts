/** Faults of executing jobs. */
import { anew } from './anew.ts';
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
  return { what, wrap };
}

const values = (tasks: readonly Task[]): unknown[] => tasks.flatMap((task) => Object.values(task));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const depth = (value: unknown): number => (isObject(value) ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0);

export const jobsDeviations: Deviations = {
  'jobs.executions.accepted': refuses('refuses tasks whose arguments are objects or lists', 400, (tasks) =>
    values(tasks).some(isObject),
  ),
  'jobs.executions.accepted/numbers': refuses('refuses arguments that are no text, list or object', 400, (tasks) =>
    values(tasks).some((value) => ['number', 'boolean'].includes(typeof value)),
  ),
  'jobs.executions.accepted/one': refuses('refuses more than one task', 400, (tasks) => tasks.length > 1),
  'jobs.executions.accepted/eight': refuses('refuses more than eight tasks', 413, (tasks) => tasks.length > 8),
  'jobs.executions.accepted/ten': refuses('refuses more than ten tasks', 400, (tasks) => tasks.length > 10),
  'jobs.executions.accepted/empty': refuses('refuses a task without arguments behind the first one', 400, (tasks) =>
    tasks.some((task, at) => at > 0 && Object.keys(task).length === 0),
  ),
  'jobs.executions.accepted/unlike': refuses(
    'refuses tasks that have not the same arguments',
    422,
    ([first, ...others]) => others.some((task) => Object.keys(task).join() !== Object.keys(first ?? {}).join()),
  ),
  'jobs.executions.accepted/alike': refuses(
    'refuses the same task twice',
    409,
    (tasks) => new Set(tasks.map((task) => JSON.stringify(task))).size < tasks.length,
  ),
  'jobs.executions.accepted/names': refuses('fails on a dot in the name of an argument', 500, (tasks) =>
    tasks.some((task) => Object.keys(task).some((name) => name.includes('.'))),
  ),
  'jobs.executions.accepted/null': refuses('refuses an argument that is null', 400, (tasks) =>
    values(tasks).includes(null),
  ),
  'jobs.executions.accepted/deep': refuses('fails on arguments nested eight deep', 500, (tasks) => depth(tasks) > 8),
  'jobs.executions.accepted/never-free': anew('refuses every execution after one of many tasks', (what) => {
    let isBusy = false;
    return refuses(what, 409, (tasks) => {
      const wasBusy = isBusy;
      isBusy ||= tasks.length > 3;
      return wasBusy;
    });
  }),
};
