/** The live journal: the stored entries, then each request when its response is sent. */
import { useEffect, useState } from 'preact/hooks';
import type { EntryView } from '../../control/views.ts';
import { control, send } from './send-request.ts';
import { readEvents } from './read-events.ts';

const MOST = 1000;
const BEFORE_ANOTHER_TRY_MS = 1000;

export interface LiveJournal {
  /** The newest first. */
  readonly entries: readonly EntryView[];
  readonly isLive: boolean;
}

export function useJournal(): LiveJournal {
  const [entries, setEntries] = useState<readonly EntryView[]>([]);
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    void follow(leaving.signal, setEntries, setLive);
    return () => leaving.abort();
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
      if (!(error instanceof TypeError) && !signal.aborted) throw error; // What fetch throws if nothing responds.
    }
    setLive(false);
    await new Promise((resolve) => setTimeout(resolve, BEFORE_ANOTHER_TRY_MS));
  }
}

/** Starts over on each connection, because another mock with other numbers may be running now. */
async function followOnce(
  signal: AbortSignal,
  setEntries: (entries: readonly EntryView[]) => void,
  setLive: (isLive: boolean) => void,
): Promise<void> {
  const headers = { accept: 'text/event-stream', 'last-event-id': '0' };
  const { body } = await send(new URL('requests', control), { headers, signal });
  if (body === null) return;
  setLive(true);
  let kept: EntryView[] = [];
  setEntries(kept);
  for await (const events of readEvents(body)) {
    for (const { event, data } of events) {
      if (event === 'forgotten') return;
      kept.unshift(JSON.parse(data) as EntryView);
    }
    kept = kept.slice(0, MOST);
    setEntries([...kept]);
  }
}
