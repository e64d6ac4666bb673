/** Server-sent events with JSON data, ended by `[DONE]`, as OpenAI clients expect. */
import { Readable } from 'node:stream';
import type { Timers } from '../../time/timers.ts';
import type { Clock } from '../../time/clock.ts';

interface Pace {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Delay between two events, on the virtual clock. */
  readonly paceMs: number;
}

/** Generates events on demand. The stream is destroyed when the client disconnects or the world is closed. */
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
