import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWatchers, ignorePatterns } from './watchers.ts';

/** On a slow machine the rest of the notifications comes later. */
async function heard(directory: string, ignore: string, paths: readonly string[]): Promise<string[]> {
  const watchers = createWatchers();
  const lines: string[] = [];
  watchers.add({ directory, ignore: ignorePatterns(ignore), notify: (path) => void lines.push(path), close: () => {} });
  watchers.notify(paths);
  for (const _ of paths) await setImmediate();
  return lines;
}

test('a watcher is notified of every file below its directory and of no other', async () => {
  expect(await heard('/app', '', ['/app/x', '/apple/x', '/app/a/b/c', '/x', '/app'])).toEqual(['/app/x', '/app/a/b/c']);
  expect(await heard('/', '', ['/x', '/app/y'])).toEqual(['/x', '/app/y']);
});

test.each([
  ['node_modules', ['/app/src/a.ts', '/app/a.log', '/app/src/b.log']],
  ['*.log', ['/app/src/a.ts', '/app/node_modules/x/y.js']],
  [' *.log , node_modules/ ,', ['/app/src/a.ts']],
  ['src/*.ts', ['/app/a.log', '/app/src/b.log', '/app/node_modules/x/y.js']],
  ['/src', ['/app/a.log', '/app/node_modules/x/y.js']],
  ['*', []],
  ['app', ['/app/src/a.ts', '/app/a.log', '/app/src/b.log', '/app/node_modules/x/y.js']],
])('ignoring %j', async (ignore, rest) => {
  expect(
    await heard('/app', ignore, ['/app/src/a.ts', '/app/a.log', '/app/src/b.log', '/app/node_modules/x/y.js']),
  ).toEqual(rest);
});

test('watchers are added and removed independently', () => {
  const watchers = createWatchers();
  const lines: string[] = [];
  const add = (who: string) =>
    watchers.add({
      directory: '/',
      ignore: [],
      notify: (path) => void lines.push(who + path),
      close: () => void lines.push(`${who} closed`),
    });
  const leaveFirst = add('1');
  add('2');
  watchers.notify(['/a']);
  leaveFirst();
  leaveFirst();
  watchers.notify(['/b']);
  expect(watchers.count()).toBe(1);
  watchers.closeAll();
  watchers.notify(['/c']);
  expect(lines).toEqual(['1/a', '2/a', '2/b', '2 closed']);
  expect(watchers.count()).toBe(0);
});

test('without an ignore list nothing is ignored', () => {
  expect([ignorePatterns(null), ignorePatterns(''), ignorePatterns(' , ')]).toEqual([[], [], []]);
});
