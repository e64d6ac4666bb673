/** Parses the server-sent events (WHATWG HTML 9.2.6) of the part of a stream received so far. */

// Not eventsource-parser: it drops the id of an event without data, which must be sent as Last-Event-ID.

export interface ServerEvent {
  /** Empty if the event has no data, such as one with only an id. */
  readonly data: string;
  /** Of this event, or the last one before it that had one. */
  readonly lastId: string;
}

export interface ServerEvents {
  /** Complete events of the type `message` only. */
  readonly events: readonly ServerEvent[];
  /** The id of the last event of any type. Empty if none had an id. */
  readonly lastId: string;
  /** The reconnection delay. Absent if the server sent none. */
  readonly retryMs?: number;
}

interface Reading {
  data: string[];
  type: string;
  lastId: string;
  retryMs?: number;
}

export function serverEventsIn(text: string): ServerEvents {
  const events: ServerEvent[] = [];
  const reading: Reading = { data: [], type: '', lastId: '' };
  // The last piece is an incomplete line.
  for (const line of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .slice(0, -1)) {
    if (line !== '') readField(reading, line);
    else if (endsMessage(reading)) events.push({ data: reading.data.join('\n'), lastId: reading.lastId });
    if (line === '') Object.assign(reading, { data: [], type: '' });
  }
  const { lastId, retryMs } = reading;
  return { events, lastId, ...(retryMs !== undefined && { retryMs }) };
}

const endsMessage = ({ data, type }: Reading): boolean => data.length > 0 && ['', 'message'].includes(type);

function readField(reading: Reading, line: string): void {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (name === 'data') reading.data.push(value);
  if (name === 'event') reading.type = value;
  if (name === 'id') reading.lastId = value;
  if (name === 'retry' && /^\d+$/.test(value)) reading.retryMs = Number(value);
}
