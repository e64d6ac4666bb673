/** GET /_mock/invocations: the newest calls of workloads, oldest first, with what called them and their inputs. */
import { invalidField } from '../../http/problems.ts';
import { ok } from '../../http/reply.ts';
import { timestamp } from '../../time/clock.ts';
import type { Invocation } from '../../state/inference.ts';
import type { ControlCall } from './control-call.ts';

const FILTERS = ['workspace', 'workload', 'by'] as const;
const callers: readonly Invocation['by'][] = ['call', 'async', 'cron'];

/** Of another collection there are no invocations, but it is a mistake. */
const WORKLOAD = /^(?:agents|functions|jobs|models)\/[^/]+$/;
const WORKLOAD_FORM = 'agents, functions, jobs or models and a name, such as agents/demo-agent';

export const getInvocations: ControlCall = {
  query: FILTERS,
  handle: ({ served: { world }, query }) => {
    const { by, workload } = query;
    if (by !== undefined && !callers.some((caller) => caller === by)) throw invalidField('by', by, callers.join(', '));
    if (workload !== undefined && !WORKLOAD.test(workload)) throw invalidField('workload', workload, WORKLOAD_FORM);
    const invocations = world.inference.invocations
      .filter((each) => FILTERS.every((name) => (query[name] ?? each[name]) === each[name]))
      .map(({ at, ...rest }) => ({ time: timestamp(at), ...rest }));
    return ok({ count: invocations.length, invocations });
  },
};
