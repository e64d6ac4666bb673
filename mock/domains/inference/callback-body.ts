/** The body of a callback. */
import type { AsyncRequest } from '../../state/inference.ts';

/** What is posted when the request is complete. */
export function callbackBody({
  id,
  workspace,
  agent,
  trigger,
  acceptedAt,
  completesAt = acceptedAt,
  outcome,
}: AsyncRequest): object {
  return {
    requestId: id,
    workspace,
    agent,
    trigger,
    status: outcome.status < 300 ? 'succeeded' : 'failed',
    statusCode: outcome.status,
    body: outcome.body,
    acceptedAt: new Date(acceptedAt).toISOString(),
    completedAt: new Date(completesAt).toISOString(),
  };
}
