import { expect, test } from 'vitest';
import {
  clearJournal,
  completeEntry,
  createJournal,
  enter,
  entriesOf,
  MAX_ENTRIES,
  type Journal,
  type JournalEntry,
} from './journal.ts';
import { storeBody, textOf } from './journal-bodies.ts';

function record(journal: Journal, body: string): JournalEntry {
  const entry = enter(journal, { method: 'PUT', originalUrl: '/', headers: {} }, 0);
  storeBody(entry.bodies.request, Buffer.from(body));
  storeBody(entry.bodies.response, `response to ${body}`);
  completeEntry(journal, entry);
  return entry;
}

const fill = (journal: Journal): JournalEntry[] =>
  Array.from({ length: MAX_ENTRIES }, (_, index) => record(journal, `${index}`));

const textsOf = ({ bodies }: JournalEntry) => [textOf(bodies.request), textOf(bodies.response)];

test('an entry uses the memory of the one that it replaces, but has only its own bodies', () => {
  const journal = createJournal();
  const [oldest] = fill(journal);
  const memory = oldest?.bodies.response.memory;
  const next = enter(journal, { method: 'GET', originalUrl: '/', headers: {} }, 0);
  expect(textsOf(next)).toEqual([undefined, undefined]);
  storeBody(next.bodies.response, 'short');
  expect(next.bodies.response.memory).toBe(memory);
  expect(textsOf(next)).toEqual([undefined, 'short']);
});

test('an entry that was read keeps its bodies, however many follow', () => {
  const journal = createJournal();
  fill(journal);
  const read = entriesOf(journal);
  const before = read.map(textsOf);
  fill(journal);
  expect(read.map(textsOf)).toEqual(before);
});

test('an entry that a listener received keeps its bodies', () => {
  const journal = createJournal();
  const got: JournalEntry[] = [];
  journal.listeners.add({ onEntry: (entry) => void got.push(entry), onForgotten: () => {}, close: () => {} });
  fill(journal);
  fill(journal);
  expect(got.map(textsOf)).toEqual(
    Array.from({ length: 2 * MAX_ENTRIES }, (_, index) => [
      `${index % MAX_ENTRIES}`,
      `response to ${index % MAX_ENTRIES}`,
    ]),
  );
});

test('a request that ends after its entry was dropped does not change the bodies of another one', () => {
  const journal = createJournal();
  const slow = enter(journal, { method: 'PUT', originalUrl: '/', headers: {} }, 0);
  fill(journal);
  const before = entriesOf(journal).map(textsOf);
  storeBody(slow.bodies.request, 'slow');
  storeBody(slow.bodies.response, 'response to slow');
  expect(textsOf(slow)).toEqual(['slow', 'response to slow']);
  expect(entriesOf(journal).map(textsOf)).toEqual(before);
});

test('memory is also reused after the journal was read and cleared', () => {
  const journal = createJournal();
  fill(journal);
  entriesOf(journal);
  clearJournal(journal);
  const [oldest] = fill(journal);
  const memory = oldest?.bodies.request.memory;
  expect(record(journal, 'next').bodies.request.memory).toBe(memory);
});
