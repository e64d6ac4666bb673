/** Server-sent events whose data are JSON, ended by `[DONE]`, as OpenAI clients read them. */
import { Readable } from 'node:stream';
import type { Timers } from '../../time/timers.ts';
import type { Clock } from '../../time/clock.ts';

interface Pace {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Between two events, on the virtual clock. */
  readonly paceMs: number;
}

/** Makes an event when the reader wants it; destroying the stream, as a leaving client or a world that goes does, lets go of the rest. */
export function eventStream(events: Iterable<object>, { clock, timers, paceMs }: Pace): Readable {
  const texts = textsOf(events);
  let cancel = () => {};
  let begun = false;
  const next = () => {
    const { value, done } = texts.next();
    stream.push(done === true ? null : value);
  };
  const stream = new Readable({
    read: () => {
      if (!begun || paceMs === 0) next();
      else cancel = timers.at(clock.now() + paceMs, next, () => void stream.destroy());
      begun = true;
    },
    destroy: (error, done) => {
      cancel();
      done(error);
    },
  });
  return stream;
}

function* textsOf(events: Iterable<object>): Generator<string, undefined> {
  for (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
  yield 'data: [DONE]\n\n';
  return undefined;
}
