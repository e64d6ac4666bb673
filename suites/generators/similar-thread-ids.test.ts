import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { similarUuids } from './similar-thread-ids.ts';

const all = Array.from({ length: 20 }, () => similarUuids(randomUUID()));

test('similar UUIDs are UUIDs of the same version, and none is another one in other letters', () => {
  for (const uuid of all.flat())
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  for (const uuids of all) expect(new Set(uuids).size).toBeGreaterThan(3);
});

test.each<[string, (uuid: string) => unknown]>([
  ['the first group', (uuid) => uuid.split('-')[0]],
  ['the last group', (uuid) => uuid.split('-').at(-1)],
  ['all but the second group', (uuid) => uuid.split('-').toSpliced(1, 1).join('-')],
  ['a number', (uuid) => Number(`0x${uuid.replaceAll('-', '')}`)],
  ['the sorted digits', (uuid) => [...uuid].toSorted().join('')],
])('a server that compares only %s confuses some of them', (_, read) => {
  for (const uuids of all) expect(new Set(uuids.map(read)).size).toBeLessThan(uuids.length);
});
