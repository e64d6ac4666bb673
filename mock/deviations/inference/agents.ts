/** Faults of querying agents. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { anew } from '../anew.ts';
import { isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { agentOf, mixesUpConcurrent, takesThread, threadOf } from './asked-otherwise.ts';

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
  return { what, wrap };
}

const isMk3 = (ctx: Context): boolean => agentOf(ctx).includes('mk3');

/** Counts the calls of each thread; gives how many there have been, this one among them. */
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
    '': refuses('refuses inputs of several lines', 400, ({ inputs }) => inputs.includes('\n')),
    mk3: refuses('answers 502 for agents of generation mk3', 502, (_, ctx) => isMk3(ctx)),
    script: refuses('fails on inputs beyond Latin letters', 500, ({ inputs }) => /[\u0250-\uffff]/.test(inputs)),
    long: refuses('refuses inputs of more than 512 characters', 413, ({ inputs }) => inputs.length > 512),
    json: refuses('takes inputs that are JSON for another body', 422, ({ inputs }) => inputs.startsWith('{')),
    'second-turn': anew('refuses the second call of a thread', (what) => {
      const calls = counter();
      return refuses(what, 409, (_, ctx) => {
        const thread = threadOf(ctx);
        return thread !== undefined && calls(thread) === 2;
      });
    }),
  },

  'inference.agents.threads-separate': {
    '': takesThread('takes thread ids for one whatever their letter case', (thread) => thread?.toLowerCase()),
    cut: takesThread('tells thread ids apart by 40 characters', (thread) => thread?.slice(0, 40)),
    tail: takesThread('tells thread ids apart by their last 40 characters', (thread) => thread?.slice(-40)),
    number: takesThread('takes the zero at the end of a thread id for nothing', (thread) => thread?.replace(/0+$/, '')),
    words: takesThread(
      'takes thread ids of the same words for one',
      (thread) =>
        thread &&
        thread
          .split(/[^A-Za-z0-9]/)
          .toSorted()
          .join('-'),
    ),
    letters: takesThread('passes over dots and hyphens in thread ids', (thread) => thread?.replaceAll(/[.-]/g, '')),
    colon: takesThread('tells thread ids apart by what is before a colon', (thread) => thread?.split(':')[0]),
    'cut-late': takesThread('tells thread ids apart by 128 characters', (thread) => thread?.slice(0, 128)),
    list: takesThread('takes a thread id for a list, and the first of it', (thread) => thread?.split(/[,;]/)[0]),
    underscore: takesThread('takes an underscore for a hyphen', (thread) => thread?.replaceAll('_', '-')),
    decoded: takesThread('reads thread ids as percent-encoded', (thread) => thread?.replaceAll(/%3A/gi, ':')),
    double: takesThread('reads thread ids of digits as numbers', (thread) =>
      thread !== undefined && /^\d+$/.test(thread) ? String(Number(thread)) : thread,
    ),
    path: takesThread('tells thread ids apart by what is behind the last slash', (thread) => thread?.split('/').at(-1)),
    mk3: takesThread('has one thread for all at agents of generation mk3', (thread, ctx) =>
      isMk3(ctx) && thread !== undefined ? 'one' : thread,
    ),
    late: anew('puts what comes after three calls of a thread in one for all', (what) => {
      const calls = counter();
      return takesThread(what, (thread) => (thread !== undefined && calls(thread) > 3 ? 'late' : thread));
    }),
    'at-once': mixesUpConcurrent(
      'takes calls that come at once for calls of the last one’s thread',
      (thread) => thread !== undefined,
    ),
  },

  'inference.agents.no-thread-no-memory': {
    '': takesThread('has a thread for all calls that name none', (thread) => thread ?? 'none'),
    mk3: takesThread(
      'has a thread for all calls that name none at agents of generation mk3',
      (thread, ctx) => thread ?? (isMk3(ctx) ? 'none' : undefined),
    ),
    'last-thread': anew('goes on with the agent’s last thread where none is named', (what) => {
      const last = new Map<string, string>();
      return takesThread(what, (thread, ctx) => {
        if (thread !== undefined) last.set(agentOf(ctx), thread);
        return thread ?? last.get(agentOf(ctx));
      });
    }),
    'taken-over': anew('keeps what is said without a thread for the first thread to begin', (what) => {
      let heir: string | undefined;
      return takesThread(what, (thread) => {
        heir ??= thread;
        return thread === undefined || thread === heir ? 'waiting' : thread;
      });
    }),
    'at-once': mixesUpConcurrent(
      'takes a call without a thread for one of the thread that is asked at the same time',
      (thread) => thread === undefined,
    ),
    'same-question': answersAsBefore(),
  },
});

/** What a thread was answered is given to whoever asks the same without one. */
function answersAsBefore(): Deviation {
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
  return { what: 'answers what is asked without a thread as it was answered in one', wrap };
}
