import { expect, test } from 'vitest';
import { serverEventsIn } from './server-events.ts';

const dataIn = (text: string): string[] => serverEventsIn(text).events.map(({ data }) => data);

test.each(['\n', '\r\n', '\r'])('lines may end with %j', (end) => {
  expect(dataIn(['data: a', 'data: b', '', 'data: c', '', ''].join(end))).toEqual(['a\nb', 'c']);
});

test('an event counts once its empty line has come', () => {
  expect(dataIn('data: a')).toEqual([]);
  expect(dataIn('data: a\n')).toEqual([]);
  expect(dataIn('data: a\n\n')).toEqual(['a']);
  expect(dataIn('data: a\n\ndata: b\n')).toEqual(['a']);
});

test('comments, unknown fields and events of another type are passed over', () => {
  expect(dataIn(': still here\n\nevent: endpoint\ndata: x\n\nevent: message\nother: y\ndata: a\n\n')).toEqual(['a']);
});

test('one space after the colon belongs to the form', () => {
  expect(dataIn('data:a\n\ndata: b\n\ndata:  c\n\ndata\n\n')).toEqual(['a', 'b', ' c', '']);
});

test('an id stands until another one comes, and the last one is known', () => {
  const { events, lastId, retryMs } = serverEventsIn('id: 1\nretry: 20\ndata:\n\ndata: a\n\nid: 2\n\n');
  expect(events).toEqual([
    { data: '', lastId: '1' },
    { data: 'a', lastId: '1' },
  ]);
  expect({ lastId, retryMs }).toEqual({ lastId: '2', retryMs: 20 });
});

test('a byte order mark at the beginning is no text', () => {
  expect(dataIn('\uFEFFdata: a\n\n')).toEqual(['a']);
});
