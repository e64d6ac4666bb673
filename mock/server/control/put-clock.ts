/** PUT /_mock/clock: freezes the virtual time or lets it run, then sets it, then advances it; what is left out stays. */
import { record } from '../../../fixtures/worlds/world-file-schema.ts';
import { parseInstant } from '../../../spec/rfc3339.ts';
import { invalidField } from '../../http/problems.ts';
import type { Clock, ClockMode } from '../../time/clock.ts';
import type { ControlCall } from './control-call.ts';
import { clockReply } from './get-clock.ts';
import { clockMode, time } from './schemas.ts';

interface ClockChange {
  readonly mode?: ClockMode;
  readonly now?: string;
  readonly advanceMs?: number;
}

/** RFC 3339 has four digits for the year. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const putClock: ControlCall<ClockChange> = {
  body: {
    schema: record({
      'mode?': clockMode,
      'now?': time,
      'advanceMs?': { type: 'integer', minimum: 0, 'x-unit': 'milliseconds' },
    }),
  },
  handle: ({ served: { world }, body }) => {
    if (Object.keys(body).length === 0) throw invalidField('the body', body, 'any of mode, now, advanceMs');
    change(world.clock, body);
    return clockReply(world.clock);
  },
};

function change(clock: Clock, { mode, now, advanceMs = 0 }: ClockChange): void {
  const start = now === undefined ? clock.now() : (parseInstant(now) ?? 0);
  if (start + advanceMs > LATEST)
    throw invalidField('advanceMs', advanceMs, `0 to ${LATEST - start}, where the year 9999 ends`);
  if (mode === 'frozen') clock.freeze();
  else if (mode === 'running') clock.run();
  if (now !== undefined) clock.set(start);
  if (advanceMs > 0) clock.advance(advanceMs);
}
