/** The live journal: the stored entries, then each request when its response is sent. */
import { useEffect, useState } from 'preact/hooks';
import type { EntryView } from '../../control/views.ts';
import { control, send } from './send-request.ts';
import { readEvents } from './read-events.ts';

const MAX_ENTRIES = 1000;
const RETRY_DELAY_MS = 1000;

/** Whether older requests may have been forgotten. */
export const isFull = (entries: readonly EntryView[]): boolean => entries.length === MAX_ENTRIES;

export interface LiveJournal {
  /** Newest first. */
  readonly entries: readonly EntryView[];
  readonly isLive: boolean;
}

export function useJournal(): LiveJournal {
  const [entries, setEntries] = useState<readonly EntryView[]>([]);
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const unmount = new AbortController();
    void follow(unmount.signal, setEntries, setLive);
    return () => unmount.abort();
  }, []);
  return { entries, isLive };
}

async function follow(
  signal: AbortSignal,
  setEntries: (entries: readonly EntryView[]) => void,
  setLive: (isLive: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOnce(signal, setEntries, setLive);
    } catch (error) {
      if (!(error instanceof TypeError) && !signal.aborted) throw error; // fetch throws TypeError if nothing responds.
    }
    setLive(false);
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
  }
}

/** Starts over on each connection, because a different mock, with different numbers, may be running now. */
async function followOnce(
  signal: AbortSignal,
  setEntries: (entries: readonly EntryView[]) => void,
  setLive: (isLive: boolean) => void,
): Promise<void> {
  const headers = { accept: 'text/event-stream', 'last-event-id': '0' };
  const { body } = await send(new URL('requests', control), { headers, signal });
  if (body === null) return;
  setLive(true);
  let received: EntryView[] = [];
  setEntries(received);
  for await (const events of readEvents(body)) {
    for (const { event, data } of events) {
      if (event === 'forgotten') return;
      received.unshift(JSON.parse(data) as EntryView);
    }
    received = received.slice(0, MAX_ENTRIES);
    setEntries([...received]);
  }
}
