/** The journal, live, the newest request first. */
import { useState } from 'preact/hooks';
import type { EntryView } from '../../control/views.ts';
import { requestJson } from './send-request.ts';
import { JournalRow } from './journal-row.tsx';
import { useMock } from './mock-state.ts';
import { count, counted, queryText } from './format.ts';
import { isFull } from './use-journal.ts';
import type { LiveJournal } from './use-journal.ts';

const PAGE_SIZE = 50;

const outcomes = {
  all: { title: 'All responses', matches: () => true },
  good: { title: 'Successful', matches: ({ status }: EntryView) => status !== null && status < 400 },
  clientError: {
    title: 'Client errors (4xx)',
    matches: ({ status }: EntryView) => status !== null && status >= 400 && status < 500,
  },
  serverError: {
    title: 'Server errors (5xx) and cuts',
    matches: ({ status }: EntryView) => status === null || status >= 500,
  },
  faulted: { title: 'Affected by a fault', matches: ({ fault }: EntryView) => fault !== undefined },
} as const;

type Outcome = keyof typeof outcomes;

export function Journal({ journal: { entries, isLive } }: { journal: LiveJournal }) {
  const { act } = useMock();
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome>('all');
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const query = text.trim().toLowerCase();
  const found = entries.filter((entry) => outcomes[outcome].matches(entry) && searchText(entry).includes(query));
  return (
    <>
      <search class="filters">
        <label class="wide">
          Filter
          <input
            type="search"
            placeholder="Method, path, query, operation or body"
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
        <button
          type="button"
          onClick={() => void act(() => requestJson('requests', 'DELETE'), 'The journal was cleared.')}
        >
          Clear
        </button>
      </search>
      <p class="soft">
        {counted(found.length, 'request')} {isLive ? '· live' : '· not connected'}
        {isFull(entries) && ' · older ones are forgotten'}
      </p>
      {entries.length === 0 && <p>No requests yet. Requests appear here when the mock has responded.</p>}
      <ol class="rows journal">
        {found.slice(0, visibleCount).map((entry) => (
          <JournalRow key={entry.number} entry={entry} />
        ))}
      </ol>
      {visibleCount < found.length && (
        <button type="button" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
          Show {Math.min(PAGE_SIZE, found.length - visibleCount)} more of {count(found.length)}
        </button>
      )}
    </>
  );
}

function searchText({ method, path, query, operation, status, body, answer }: EntryView): string {
  return [method, path + queryText(query), operation, status, body?.text, answer?.text].join(' ').toLowerCase();
}
