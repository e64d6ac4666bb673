import { expect, test } from 'vitest';
import { testTarget } from '../../suites/testing/test-run.ts';
import { usableRules } from './usable-rules.ts';

const target = testTarget({ address: 'http://127.0.0.1:1' });
const missing = (over: Partial<typeof target>): Record<string, number> =>
  Object.fromEntries(
    usableRules({ ...target, ...over }).missing.map(([what, count]) => [what.split(':', 1)[0], count]),
  );

test('without credentials, every rule lacks one', () => {
  const { usableCount, allCount, missing: all } = usableRules({ ...target, credentials: { scoped: {} } });
  expect(usableCount).toBe(0);
  expect(all[0]).toEqual([
    'add a valid credential to the target file: credentials.admin or credentials.apiKey',
    allCount,
  ]);
});

test('rules about an account lack it, and rules about a surface its address', () => {
  const { account: _, ...withoutAccount } = target;
  const { management } = target.addresses;
  const addresses = { ...(management !== undefined && { management }) };
  const without = usableRules({ ...withoutAccount, addresses });
  const names = without.missing.map(([what]) => what.split(':', 1)[0]);
  const account = 'add account to the target file, or let GET /accounts list it for a credential of the file';
  const sandbox = 'add resources.sandbox and addresses.sandbox to the target file';
  expect(names).toEqual(expect.arrayContaining([account, 'add addresses.inference to the target file', sandbox]));
  expect(Object.keys(missing({ account: 'acc' }))).not.toContain(account);
});

test('rules that call agents lack the workspace, and no others do', () => {
  const { workspace: _, ...without } = target;
  const names = usableRules(without).missing.map(([what]) => what);
  expect(names).toContain('add workspace to the target file');
  expect(usableRules(target).missing.map(([what]) => what)).not.toContain('add workspace to the target file');
});

test('rules that only writes can try, and those that need one of several things, lack them', () => {
  const { expired: _, member: __, ...credentials } = target.credentials;
  const { client: ___, ...without } = { ...target, credentials, allow: 'read' as const };
  const token = { name: 'SVC_TOKEN', value: 'x' };
  const lacking = (over: Partial<typeof target>): Map<string, number> =>
    new Map(
      usableRules({ ...without, ...over }).missing.map(([what, count]) => [what.split(/[:,]/, 1)[0] ?? '', count]),
    );
  const usable = (area: string, over: Partial<typeof target>) =>
    usableRules({ ...without, ...over }).areas.find((each) => each.area === area)?.usableCount ?? 0;

  expect(lacking({}).has('add credentials.expired to the target file')).toBe(true);
  expect(
    lacking({ credentials: { ...credentials, expired: token } }).has('add credentials.expired to the target file'),
  ).toBe(false);
  expect(usable('errors', { credentials: { ...credentials, member: token } })).toBe(usable('errors', {}) + 1);
  // Most of these have no needs, but are only about operations that write.
  expect(usable('resources', {})).toBe(1);
  expect(usable('resources', { allow: 'write' })).toBeGreaterThan(5);
});

test('the counts of the areas add up', () => {
  const { usableCount, allCount, areas } = usableRules(target);
  const sum = (key: 'usableCount' | 'allCount') => areas.reduce((total, area) => total + area[key], 0);
  expect([sum('usableCount'), sum('allCount')]).toEqual([usableCount, allCount]);
});
