import { expect, test } from 'vitest';
import type { Entry } from './entries.ts';
import { entryMismatches } from './entry-mismatches.ts';
import type { Page } from './pages.ts';

test.each<[Partial<Entry>, string]>([
  [{ workspace: 'demo' }, 'data[0] (workspace="demo"): a cost'],
  [{}, 'data[0]: a cost'],
])('an entry with %j is named by its group', (entry, expected) => {
  const page = { exchange: {}, metrics: { data: [entry] } } as unknown as Page;
  expect(entryMismatches([page], () => [{ expected: 'a cost', actual: 'null' }])).toMatchObject([{ expected }]);
});
