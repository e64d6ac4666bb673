/** GET /_mock/worlds: all worlds of the port; first the one that the mock was started with. */
import { ok } from '../../http/reply.ts';
import type { ServedWorld } from '../../pipeline/served-world.ts';
import { timestamp } from '../../time/clock.ts';
import type { ControlCall } from './control-call.ts';
import type { WorldView } from './views.ts';

export const getWorlds: ControlCall = {
  handle: ({ worlds: { first, others } }) =>
    ok({ worlds: [worldView(null, first), ...[...others].map(([id, served]) => worldView(id, served))] }),
};

function worldView(id: string | null, { world, journal }: ServedWorld): WorldView {
  const { clock, seed, addresses } = world;
  return {
    id,
    control: `${addresses.host}/_mock`,
    seed,
    now: timestamp(clock.now()),
    mode: clock.mode(),
    received: journal.count,
  };
}
