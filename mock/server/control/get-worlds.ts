/** GET /_mock/worlds: every world of the port, the one that the mock was started for first. */
import { ok } from '../../http/reply.ts';
import type { ServedWorld } from '../../pipeline/served-world.ts';
import { timestamp } from '../../time/clock.ts';
import type { ControlCall } from './control-call.ts';
import type { ShownWorld } from './forms.ts';

export const getWorlds: ControlCall = {
  answer: ({ worlds: { first, others } }) =>
    ok({ worlds: [shown(null, first), ...[...others].map(([id, served]) => shown(id, served))] }),
};

function shown(id: string | null, { world, journal }: ServedWorld): ShownWorld {
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
