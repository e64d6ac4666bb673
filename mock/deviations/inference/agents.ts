/** Deviations of querying agents. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { isFromApiKey } from '../writes.ts';
import { agentOf, mixesUpConcurrent, replacesThread, revealsConcurrent, threadOf } from './thread-mixups.ts';

interface Query {
  readonly inputs: string;
}

const query: readonly OperationId[] = ['queryAgent'];

function refuses(what: string, status: number, concerns: (body: Query, ctx: Context) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, query) || ctx.state.reply?.status !== 200 || !concerns(ctx.state.body as Query, ctx)) return;
      ctx.state.reply = { status, body: { error: 'refused', code: status, message: 'The agent does not take that.' } };
    };
  return { what, effect: 'refuse', condition: 'queryAgent', wrap };
}

const isMk3 = (ctx: Context): boolean => agentOf(ctx).includes('mk3');

/** Counts the calls of each thread. Returns the count including this one. */
function counter(): (thread: string) => number {
  const calls = new Map<string, number>();
  return (thread) => {
    const count = (calls.get(thread) ?? 0) + 1;
    calls.set(thread, count);
    return count;
  };
}

export const agentsDeviations: Deviations = deviationsOf({
  'inference.agents.answers': {
    '': refuses('Refuses inputs of several lines', 400, ({ inputs }) => inputs.includes('\n')),
    mk3: refuses('Returns 502 for agents of generation mk3', 502, (_, ctx) => isMk3(ctx)),
    script: refuses('Returns 500 for inputs beyond Latin letters', 500, ({ inputs }) => /[\u0250-\uffff]/.test(inputs)),
    long: refuses('Returns 500 for inputs of more than 512 characters', 500, ({ inputs }) => inputs.length > 512),
    json: refuses('Parses inputs that are JSON as the body', 422, ({ inputs }) => inputs.startsWith('{')),
    'second-turn': statefulDeviation('Refuses the second call of a thread', (what) => {
      const calls = counter();
      return refuses(what, 409, (_, ctx) => {
        const thread = threadOf(ctx);
        return thread !== undefined && calls(thread) === 2;
      });
    }),
  },

  'inference.agents.threads-separate': {
    '': replacesThread('Ignores the letter case of thread ids', (thread) => thread?.toLowerCase()),
    cut: replacesThread('Compares only the first 40 characters of thread ids', (thread) => thread?.slice(0, 40)),
    tail: replacesThread('Compares only the last 40 characters of thread ids', (thread) => thread?.slice(-40)),
    column: replacesThread('Stores 255 characters of thread ids', (thread) => thread?.slice(0, 255)),
    'first-segment': replacesThread('Ends thread ids at a slash', (thread) => thread?.replace(/\/.*/, '')),
    number: replacesThread('Ignores a zero at the end of a thread id', (thread) => thread?.replace(/0+$/, '')),
    words: replacesThread(
      'Ignores the order of words in thread ids',
      (thread) =>
        thread &&
        thread
          .split(/[^A-Za-z0-9]/)
          .toSorted()
          .join('-'),
    ),
    letters: replacesThread('Ignores dots and hyphens in thread ids', (thread) => thread?.replaceAll(/[.-]/g, '')),
    colon: replacesThread('Compares thread ids only up to a colon', (thread) => thread?.split(':')[0]),
    'cut-late': replacesThread('Compares only the first 128 characters of thread ids', (thread) =>
      thread?.slice(0, 128),
    ),
    list: replacesThread('Uses the first of a comma-separated thread id', (thread) => thread?.split(/[,;]/)[0]),
    underscore: replacesThread('Treats underscores in thread ids as hyphens', (thread) => thread?.replaceAll('_', '-')),
    decoded: replacesThread('Decodes percent-encoding in thread ids', (thread) => thread?.replaceAll(/%3A/gi, ':')),
    double: replacesThread('Reads thread ids of digits as numbers', (thread) =>
      thread !== undefined && /^\d+$/.test(thread) ? String(Number(thread)) : thread,
    ),
    path: replacesThread('Compares thread ids only after the last slash', (thread) => thread?.split('/').at(-1)),
    mk3: replacesThread('Shares one thread among all calls of mk3 agents', (thread, ctx) =>
      isMk3(ctx) && thread !== undefined ? 'one' : thread,
    ),
    'api-key': replacesThread('Shares one thread among all calls of API keys', (thread, ctx) =>
      isFromApiKey(ctx) && thread !== undefined ? 'one' : thread,
    ),
    late: statefulDeviation('Shares one thread among calls after the third of each thread', (what) => {
      const calls = counter();
      return replacesThread(what, (thread) => (thread !== undefined && calls(thread) > 3 ? 'late' : thread));
    }),
    'at-once': mixesUpConcurrent(
      'Assigns simultaneous calls to the thread of the last one',
      (thread) => thread !== undefined,
    ),
    'in-flight': revealsConcurrent('Returns the inputs of a simultaneous call of another thread'),
  },

  'inference.agents.no-thread-no-memory': {
    '': replacesThread('Shares one thread among calls without a thread', (thread) => thread ?? 'none'),
    mk3: replacesThread(
      'Shares one thread among mk3 calls without a thread',
      (thread, ctx) => thread ?? (isMk3(ctx) ? 'none' : undefined),
    ),
    'api-key': replacesThread(
      'Shares one thread among calls of API keys without a thread',
      (thread, ctx) => thread ?? (isFromApiKey(ctx) ? 'none' : undefined),
    ),
    'last-thread': statefulDeviation('Continues the last thread of the agent if none is sent', (what) => {
      const last = new Map<string, string>();
      return replacesThread(what, (thread, ctx) => {
        if (thread !== undefined) last.set(agentOf(ctx), thread);
        return thread ?? last.get(agentOf(ctx));
      });
    }),
    'taken-over': statefulDeviation('Adds calls without a thread to the first new thread', (what) => {
      let heir: string | undefined;
      return replacesThread(what, (thread) => {
        heir ??= thread;
        return thread === undefined || thread === heir ? 'waiting' : thread;
      });
    }),
    'at-once': mixesUpConcurrent(
      'Assigns a call without a thread to a simultaneous thread',
      (thread) => thread === undefined,
    ),
    'same-question': repeatsResponse(),
  },
});

/** Returns the response of a thread to the same query without a thread. */
function repeatsResponse(): Deviation {
  const wrap = (app: App): App => {
    const given = new Map<string, Reply>();
    return async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (!isFor(ctx, query) || reply?.status !== 200) return;
      const { inputs } = ctx.state.body as Query;
      if (threadOf(ctx) !== undefined) given.set(inputs, reply);
      else ctx.state.reply = given.get(inputs) ?? reply;
    };
  };
  return {
    what: 'Repeats a response of a thread for a call without a thread',
    effect: 'respond from cache',
    condition: 'queryAgent',
    wrap,
  };
}
