/** Deviations of querying agents. */
import { isFor, stateful, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { isFromApiKey } from '../writes.ts';
import { agentOf, mixesUpConcurrent, replacesThread, revealsConcurrent, threadOf } from './thread-mixups.ts';

interface Query {
  readonly inputs: string;
}

const query: readonly OperationId[] = ['queryAgent'];

function refuses(status: number, concerns: (body: Query, ctx: Context) => boolean): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, query) || ctx.state.reply?.status !== 200 || !concerns(ctx.state.body as Query, ctx)) return;
      ctx.state.reply = { status, body: { error: 'refused', code: status, message: 'The agent does not take that.' } };
    };
  return { kind: 'refuse', condition: 'queryAgent', wrap };
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

export const agentsDeviations: Table = {
  'inference.agents.answers': {
    'refuses inputs of several lines': refuses(400, ({ inputs }) => inputs.includes('\n')),
    'returns 502 for agents of generation mk3': refuses(502, (_, ctx) => isMk3(ctx)),
    'returns 500 for inputs beyond Latin letters': refuses(500, ({ inputs }) => /[\u0250-\uffff]/.test(inputs)),
    'returns 500 for inputs of more than 512 characters': refuses(500, ({ inputs }) => inputs.length > 512),
    'parses inputs that are JSON as the body': refuses(422, ({ inputs }) => inputs.startsWith('{')),
    'refuses the second call of a thread': stateful(() => {
      const calls = counter();
      return refuses(409, (_, ctx) => {
        const thread = threadOf(ctx);
        return thread !== undefined && calls(thread) === 2;
      });
    }),
  },

  'inference.agents.threads-separate': {
    'ignores the letter case of thread ids': replacesThread((thread) => thread?.toLowerCase()),
    'compares only the first 40 characters of thread ids': replacesThread((thread) => thread?.slice(0, 40)),
    'compares only the last 40 characters of thread ids': replacesThread((thread) => thread?.slice(-40)),
    'stores 255 characters of thread ids': replacesThread((thread) => thread?.slice(0, 255)),
    'ends thread ids at a slash': replacesThread((thread) => thread?.replace(/\/.*/, '')),
    'ignores a zero at the end of a thread id': replacesThread((thread) => thread?.replace(/0+$/, '')),
    'ignores the order of words in thread ids': replacesThread(
      (thread) =>
        thread &&
        thread
          .split(/[^A-Za-z0-9]/)
          .toSorted()
          .join('-'),
    ),
    'ignores dots and hyphens in thread ids': replacesThread((thread) => thread?.replaceAll(/[.-]/g, '')),
    'ignores spaces in thread ids': replacesThread((thread) => thread?.replaceAll(' ', '')),
    'ends thread ids at a space': replacesThread((thread) => thread?.split(' ')[0]),
    'compares thread ids only up to a colon': replacesThread((thread) => thread?.split(':')[0]),
    'compares only the first 128 characters of thread ids': replacesThread((thread) => thread?.slice(0, 128)),
    'uses the first of a comma-separated thread id': replacesThread((thread) => thread?.split(/[,;]/)[0]),
    'treats underscores in thread ids as hyphens': replacesThread((thread) => thread?.replaceAll('_', '-')),
    'decodes percent-encoding in thread ids': replacesThread((thread) => thread?.replaceAll(/%3A/gi, ':')),
    'reads thread ids of digits as numbers': replacesThread((thread) =>
      thread !== undefined && /^\d+$/.test(thread) ? String(Number(thread)) : thread,
    ),
    'compares thread ids only after the last slash': replacesThread((thread) => thread?.split('/').at(-1)),
    'shares one thread among all calls of mk3 agents': replacesThread((thread, ctx) =>
      isMk3(ctx) && thread !== undefined ? 'one' : thread,
    ),
    'shares one thread among all calls of API keys': replacesThread((thread, ctx) =>
      isFromApiKey(ctx) && thread !== undefined ? 'one' : thread,
    ),
    'shares one thread among calls after the third of each thread': stateful(() => {
      const calls = counter();
      return replacesThread((thread) => (thread !== undefined && calls(thread) > 3 ? 'late' : thread));
    }),
    'assigns simultaneous calls to the thread of the last one': mixesUpConcurrent((thread) => thread !== undefined),
    'returns the inputs of a simultaneous call of another thread': revealsConcurrent(),
  },

  'inference.agents.no-thread-no-memory': {
    'shares one thread among calls without a thread': replacesThread((thread) => thread ?? 'none'),
    'shares one thread among mk3 calls without a thread': replacesThread(
      (thread, ctx) => thread ?? (isMk3(ctx) ? 'none' : undefined),
    ),
    'shares one thread among calls of API keys without a thread': replacesThread(
      (thread, ctx) => thread ?? (isFromApiKey(ctx) ? 'none' : undefined),
    ),
    'continues the last thread of the agent if none is sent': stateful(() => {
      const last = new Map<string, string>();
      return replacesThread((thread, ctx) => {
        if (thread !== undefined) last.set(agentOf(ctx), thread);
        return thread ?? last.get(agentOf(ctx));
      });
    }),
    'adds calls without a thread to the first new thread': stateful(() => {
      let heir: string | undefined;
      return replacesThread((thread) => {
        heir ??= thread;
        return thread === undefined || thread === heir ? 'waiting' : thread;
      });
    }),
    'assigns a call without a thread to a simultaneous thread': mixesUpConcurrent((thread) => thread === undefined),
    'repeats a response of a thread for a call without a thread': repeatsResponse(),
  },
};

/** Returns the response of a thread to the same query without a thread. */
function repeatsResponse(): Fault {
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
    kind: 'respond from cache',
    condition: 'queryAgent',
    wrap,
  };
}
