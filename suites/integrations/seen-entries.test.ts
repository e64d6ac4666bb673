import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { judgeExchanges } from '../testing/judge-exchanges.ts';

// Loads the suite file of this rule.
await collectCases(['integrations.get.entries-identified']);

test.each([
  ['a personal organization without id and name', { organizations: [{ displayName: 'Ada', avatar_url: '' }] }, 'keeps'],
  ['a repository with only a url', { repositories: [{ url: 'https://git.example/a/b' }] }, 'keeps'],
  ['an empty organization', { organizations: [{ id: '1' }, {}] }, 'breaks'],
  ['a repository whose documented texts are all empty', { repositories: [{ id: '', url: '', isBl: true }] }, 'breaks'],
  ['a repository with only a text of organizations', { repositories: [{ displayName: 'b' }] }, 'breaks'],
])('%s', (_, received, expected) => {
  const read = { url: '/integrations/github', received: { name: 'github', ...received } };
  expect(judgeExchanges('integrations.get.entries-identified', [read])).toEqual([expected]);
});
