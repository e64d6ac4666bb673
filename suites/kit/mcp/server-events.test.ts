import { expect, test } from 'vitest';
import { serverEventsIn } from './server-events.ts';

const dataIn = (text: string): string[] => serverEventsIn(text).events.map(({ data }) => data);

test.each(['\n', '\r\n', '\r'])('lines may end with %j', (end) => {
  expect(dataIn(['data: a', 'data: b', '', 'data: c', '', ''].join(end))).toEqual(['a\nb', 'c']);
});

test('an event is complete after its empty line', () => {
  expect(dataIn('data: a')).toEqual([]);
  expect(dataIn('data: a\n')).toEqual([]);
  expect(dataIn('data: a\n\n')).toEqual(['a']);
  expect(dataIn('data: a\n\ndata: b\n')).toEqual(['a']);
});

test('comments, unknown fields and events of other types are ignored', () => {
  expect(dataIn(': still here\n\nevent: endpoint\ndata: x\n\nevent: message\nother: y\ndata: a\n\n')).toEqual(['a']);
});

test('one space after the colon is not part of the value', () => {
  expect(dataIn('data:a\n\ndata: b\n\ndata:  c\n\ndata\n\n')).toEqual(['a', 'b', ' c', '']);
});

test('an id applies until the next one, even if its event has no data', () => {
  const { events, lastId, retryMs } = serverEventsIn('id: 1\nretry: 20\ndata:\n\ndata: a\n\nid: 2\n\n');
  expect(events).toEqual([
    { data: '', lastId: '1' },
    { data: 'a', lastId: '1' },
  ]);
  expect({ lastId, retryMs }).toEqual({ lastId: '2', retryMs: 20 });
});

test('a leading byte order mark is ignored', () => {
  expect(dataIn('\uFEFFdata: a\n\n')).toEqual(['a']);
});
