import { expect, test } from 'vitest';
import { complete, createJournal, enter, entriesOf, MAX_ENTRIES, type Journal, type JournalEntry } from './journal.ts';
import { keepBody, MAX_BODY_CHARACTERS, textOf } from './journal-bodies.ts';

function record(journal: Journal, body: string): JournalEntry {
  const entry = enter(journal, { method: 'PUT', originalUrl: '/', headers: {} }, 0);
  keepBody(entry.bodies.request, Buffer.from(body));
  keepBody(entry.bodies.response, `response to ${body}`);
  complete(journal, entry);
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
  keepBody(next.bodies.response, 'short');
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

test('so does an entry that a listener got', () => {
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
  keepBody(slow.bodies.request, 'slow');
  keepBody(slow.bodies.response, 'response to slow');
  expect(textsOf(slow)).toEqual(['slow', 'response to slow']);
  expect(entriesOf(journal).map(textsOf)).toEqual(before);
});

test.each(['a', 'ä', '…', '😀'])(
  'the text of a body of many %s is as long as its maximum, and one more',
  (character) => {
    const body = character.repeat(2 * MAX_BODY_CHARACTERS);
    const { bodies } = record(createJournal(), body);
    expect(textOf(bodies.request)?.slice(0, MAX_BODY_CHARACTERS)).toBe(body.slice(0, MAX_BODY_CHARACTERS));
    expect([textOf(bodies.request)?.length, textOf(bodies.response)?.length]).toEqual([4001, 4001]);
  },
);
