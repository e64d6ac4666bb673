/** PUT /_mock/clock: changes the mode of the virtual clock, then sets it, then advances it. */
import { z } from 'zod';
import { count, instant } from '../../../spec/formats/parts.ts';
import { parseInstant } from '../../../spec/rfc3339.ts';
import { invalidField } from '../../http/problems.ts';
import { MAX_INSTANT, type Clock } from '../../time/clock.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';
import { clockReply } from './get-clock.ts';
import { clockMode } from './schemas.ts';

const clockChange = z.strictObject({
  mode: clockMode.exactOptional(),
  now: instant.exactOptional(),
  advanceMs: count.exactOptional(),
});

type ClockChange = z.infer<typeof clockChange>;

export const putClock: ControlCall<ClockChange> = {
  body: bodyFormat(clockChange),
  handle: ({ served: { world }, body }) => {
    if (Object.keys(body).length === 0) throw invalidField('the body', body, 'any of mode, now, advanceMs');
    change(world.clock, body);
    return clockReply(world.clock);
  },
};

function change(clock: Clock, { mode, now, advanceMs = 0 }: ClockChange): void {
  const start = now === undefined ? clock.now() : (parseInstant(now) ?? 0);
  if (start + advanceMs > MAX_INSTANT)
    throw invalidField('advanceMs', advanceMs, `0 to ${MAX_INSTANT - start}, where the year 9999 ends`);
  if (mode === 'frozen') clock.freeze();
  else if (mode === 'running') clock.run();
  if (now !== undefined) clock.set(start);
  if (advanceMs > 0) clock.advance(advanceMs);
}
