/** GET /_mock/health: responds once the mock is ready; includes the summary of its profile. */
import { ok } from '../../http/reply.ts';
import type { ControlCall } from './control-call.ts';
import type { HealthView } from './views.ts';

export const getHealth: ControlCall = {
  handle: ({ served: { world, config } }) =>
    ok({
      status: 'ok',
      now: new Date(world.clock.now()).toISOString(),
      seed: world.seed,
      ...(config.following && { profile: config.following }),
    } satisfies HealthView),
};
