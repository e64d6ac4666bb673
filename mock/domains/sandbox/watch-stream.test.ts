import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWatchers } from './watchers.ts';
import { watchStream } from './watch-stream.ts';

test('a changed file is written as a line immediately', async () => {
  const watchers = createWatchers();
  const stream = watchStream(watchers, '/app', []).setEncoding('utf8');
  const lines: string[] = [];
  stream.on('data', (text: string) => void lines.push(text));
  await turn();
  watchers.notify(['/app/x', '/other']);
  await turn();
  expect(lines.join('')).toBe('/app/x\n');
  watchers.notify(['/app/x']);
  await turn();
  expect(lines.join('')).toBe('/app/x\n/app/x\n');
  stream.destroy();
});

test('a slow reader blocks no one and later receives every path', async () => {
  const watchers = createWatchers();
  const slow = watchStream(watchers, '/', []).setEncoding('utf8');
  const quick = watchStream(watchers, '/', []).setEncoding('utf8');
  let read = '';
  quick.on('data', (text: string) => void (read += text));
  await turn();
  const paths = Array.from({ length: 5000 }, (_, index) => `/file-${index}-${'x'.repeat(50)}`);
  for (let round = 0; round < 5; round++) {
    watchers.notify(paths);
    await turn();
  }
  while (read.split('\n').length < 5 * paths.length + 1) await turn();
  expect(read.split('\n')).toHaveLength(5 * paths.length + 1);
  let late = '';
  slow.on('data', (text: string) => void (late += text));
  for (let turns = 0; turns < 200; turns++) await turn();
  expect(new Set(late.trim().split('\n'))).toEqual(new Set(paths));
  expect(late.trim().split('\n').length).toBeLessThan(2 * paths.length);
  slow.destroy();
  quick.destroy();
});

test('a reader that disconnects is removed', async () => {
  const watchers = createWatchers();
  const stream = watchStream(watchers, '/', []);
  expect(watchers.count()).toBe(1);
  stream.destroy();
  await once(stream, 'close');
  watchers.notify(['/x']);
  expect(watchers.count()).toBe(0);
});

test('closing the sandbox ends the stream', async () => {
  const watchers = createWatchers();
  const stream = watchStream(watchers, '/', []).resume();
  watchers.closeAll();
  await once(stream, 'end');
  expect(stream.readableEnded).toBe(true);
});
