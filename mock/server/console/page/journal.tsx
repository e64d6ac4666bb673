/** The journal, live, the newest request first. */
import { useState } from 'preact/hooks';
import type { EntryView } from '../../control/views.ts';
import { ask } from './send-request.ts';
import { JournalRow } from './journal-row.tsx';
import { useMock } from './mock-state.ts';
import { count, counted } from './format.ts';
import type { LiveJournal } from './use-journal.ts';

const AT_ONCE = 50;

const outcomes = {
  all: { title: 'All responses', fits: () => true },
  good: { title: 'Successful', fits: ({ status }: EntryView) => status !== null && status < 400 },
  refused: {
    title: 'Refused (4xx)',
    fits: ({ status }: EntryView) => status !== null && status >= 400 && status < 500,
  },
  failed: { title: 'Failed (5xx, cut)', fits: ({ status }: EntryView) => status === null || status >= 500 },
  disturbed: { title: 'Disturbed by a fault', fits: ({ fault }: EntryView) => fault !== undefined },
} as const;

type Outcome = keyof typeof outcomes;

export function Journal({ journal: { entries, isLive } }: { journal: LiveJournal }) {
  const { act } = useMock();
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome>('all');
  const [most, setMost] = useState(AT_ONCE);
  const wanted = text.trim().toLowerCase();
  const found = entries.filter((entry) => outcomes[outcome].fits(entry) && wordsOf(entry).includes(wanted));
  return (
    <>
      <search class="filters">
        <label>
          Filter
          <input
            type="search"
            placeholder="Method, path, operation or body"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <label>
          Outcome
          <select value={outcome} onChange={({ currentTarget }) => setOutcome(currentTarget.value as Outcome)}>
            {Object.entries(outcomes).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => void act(() => ask('requests', 'DELETE'), 'The journal is empty.')}>
          Clear
        </button>
      </search>
      <p class="soft">
        {counted(found.length, 'request')} {isLive ? '· live' : '· not connected'}
      </p>
      {entries.length === 0 && <p>Nothing was asked yet. Requests to the mock appear here as they are answered.</p>}
      <ol class="rows journal">
        {found.slice(0, most).map((entry) => (
          <JournalRow key={entry.number} entry={entry} />
        ))}
      </ol>
      {most < found.length && (
        <button type="button" onClick={() => setMost(most + AT_ONCE)}>
          Show {Math.min(AT_ONCE, found.length - most)} more of {count(found.length)}
        </button>
      )}
    </>
  );
}

function wordsOf({ method, path, operation, status, body, answer }: EntryView): string {
  return [method, path, operation, status, body?.text, answer?.text].join(' ').toLowerCase();
}
