/** GET /_mock/invocations: the newest calls of workloads, oldest first, with what called them and their inputs. */
import { invalidField } from '../../http/problems.ts';
import { ok } from '../../http/reply.ts';
import { timestamp } from '../../time/clock.ts';
import type { ControlCall } from './control-call.ts';

const FILTERS = ['workspace', 'workload', 'by'] as const;

export const getInvocations: ControlCall = {
  handle: ({ served: { world }, query }) => {
    const unknown = [...query.keys()].find((name) => !FILTERS.some((filter) => filter === name));
    if (unknown !== undefined) throw invalidField('a query parameter', unknown, FILTERS.join(', '));
    const invocations = world.inference.invocations
      .filter((each) => FILTERS.every((name) => (query.get(name) ?? each[name]) === each[name]))
      .map(({ at, ...rest }) => ({ time: timestamp(at), ...rest }));
    return ok({ count: invocations.length, invocations });
  },
};
