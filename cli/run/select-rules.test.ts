import { expect, test } from 'vitest';
import { rulesAbout, selectRules } from './select-rules.ts';

test('globs select rules, without those that are skipped', () => {
  expect(selectRules()).toBeUndefined();
  expect(selectRules(['accounts.*', 'vpcs.*'], ['vpcs.*'])).toEqual(['accounts.list.gives-account-id']);
});

test('a list of globs is refused, with the flags to give instead', () => {
  const list = 'accounts.*,vpcs.*';
  expect(() => selectRules([list])).toThrow(
    `"${list}" is a list; repeat the flag: --only 'accounts.*' --only 'vpcs.*'`,
  );
  expect(() => selectRules([], [list])).toThrow("--skip 'accounts.*' --skip 'vpcs.*'");
});

test.each(['accounts.*,none.*', 'none.{a,b}'])('%s matches no rule', (glob) => {
  expect(() => selectRules([glob])).toThrow(`"${glob}" matches no rule.`);
});

test('a selection without rules is refused', () => {
  expect(() => selectRules(['accounts.*'], ['accounts.*'])).toThrow('select no rule');
});

test('only rules about the operations that the target has are selected', () => {
  expect(rulesAbout(undefined, ['vpcs.create.answers-resource'])).toEqual(['vpcs.create.answers-resource']);
  expect(rulesAbout(['createVpc'], selectRules(['vpcs.*', 'metrics.enums.*']))).toEqual([
    'vpcs.create.answers-resource',
    'vpcs.create.envelope-required',
  ]);
  expect(() => rulesAbout(['listAccounts'], selectRules(['vpcs.*']))).toThrow('none of --only is about');
});
