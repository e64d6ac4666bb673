/** GET /_mock/outbox: callbacks of async requests with every attempt to post them, and messages that tools sent, oldest first. Secrets are not listed. */
import { ok } from '../../http/reply.ts';
import { timestamp } from '../../time/clock.ts';
import type { ControlCall } from './control-call.ts';
import type { OutboxView } from './views.ts';

export const getOutbox: ControlCall = {
  handle: ({ served: { world } }) => {
    const callbacks = world.inference.requests.flatMap(
      ({ id, workspace, agent, trigger, outcome, callback, attempts }) =>
        callback === undefined
          ? []
          : [
              {
                requestId: id,
                workspace,
                agent,
                trigger,
                url: callback.url,
                body: outcome.body,
                dueAt: callback.dueAt === undefined ? null : timestamp(callback.dueAt),
                attempts: attempts.map(({ at, ...rest }) => ({ time: timestamp(at), ...rest })),
              },
            ],
    );
    const messages = world.inference.messages.map(({ at, ...rest }) => ({ time: timestamp(at), ...rest }));
    return ok({ count: callbacks.length + messages.length, callbacks, messages } satisfies OutboxView);
  },
};
