/** GET /_mock/outbox: callbacks of async requests with every attempt to post them, and messages that tools sent, oldest first. Secrets are not listed. */
import { callbackBody } from '../../domains/inference/callback-body.ts';
import { ok } from '../../http/reply.ts';
import { timestamp } from '../../time/clock.ts';
import type { AsyncRequest } from '../../state/inference.ts';
import type { ControlCall } from './control-call.ts';
import type { CallbackView, OutboxView } from './views.ts';

export const getOutbox: ControlCall = {
  handle: ({ served: { world } }) => {
    const callbacks = world.inference.requests.flatMap(callbackViews);
    const messages = world.inference.messages.map(({ at, ...rest }) => ({ time: timestamp(at), ...rest }));
    return ok({ count: callbacks.length + messages.length, callbacks, messages } satisfies OutboxView);
  },
};

/** Empty if the request has no callback. */
function callbackViews(request: AsyncRequest): CallbackView[] {
  const { id, workspace, agent, trigger, completesAt, callback, attempts } = request;
  if (callback === undefined) return [];
  return [
    {
      requestId: id,
      workspace,
      agent,
      trigger,
      url: callback.url,
      body: completesAt === undefined ? null : callbackBody(request),
      dueAt: callback.dueAt === undefined ? null : timestamp(callback.dueAt),
      attempts: attempts.map(({ at, ...rest }) => ({ time: timestamp(at), ...rest })),
    },
  ];
}
