/** Starts and stops sandboxes. */
import type { Endpoint } from '../endpoint.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import { redeploy } from '../../domains/resources/write.ts';
import { ok } from '../../http/reply.ts';
import { existing, placeIn } from '../uniform.ts';

export function control<Id extends 'startSandbox' | 'stopSandbox'>(course: 'deploy' | 'deactivate'): Endpoint<Id> {
  return (call) => {
    const place = placeIn(call, 'sandboxes');
    return ok(resourceBody(call.world, place, redeploy(call.world, place, existing(call, place), course)) as never);
  };
}
