import { expect, test } from 'vitest';
import { selectRules } from './select-rules.ts';

test('globs select rules, without those that are skipped', () => {
  expect(selectRules()).toBeUndefined();
  expect(selectRules(['accounts.*', 'vpcs.*'], ['vpcs.*'])).toEqual(['accounts.list.gives-account-id']);
});

test.each([
  ['accounts.*,vpcs.*', '"accounts.*,vpcs.*" is a list. Give the flag once for each: accounts.* vpcs.*.'],
  ['accounts.*,none.*', '"accounts.*,none.*" matches no rule.'],
  ['none.{a,b}', '"none.{a,b}" matches no rule.'],
])('%s is refused', (glob, message) => {
  expect(() => selectRules([glob])).toThrow(message);
  expect(() => selectRules([], [glob])).toThrow(message);
});

test('a selection without rules is refused', () => {
  expect(() => selectRules(['accounts.*'], ['accounts.*'])).toThrow('select no rule');
});
