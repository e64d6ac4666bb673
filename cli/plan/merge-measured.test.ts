import { expect, test } from 'vitest';
import type { MeasuredRule } from './measured-requests.ts';
import { mergeMeasured } from './merge-measured.ts';

const FIRST = 'accounts.list.gives-account-id';
const SECOND = 'vpcs.create.answers-resource';
const rule = (count: number): MeasuredRule => ({
  first: { 'sent listAgents SVC_ADMIN_TOKEN': count },
  later: {},
  alone: {},
  steps: [count, 0],
});

test('new numbers replace those of their rules only, and rules that no longer exist are dropped', () => {
  const before = { capacities: { agents: 6 }, rules: { 'vpcs.no.more': rule(1), [FIRST]: rule(2) } };
  const merged = mergeMeasured(before, { capacities: { agents: 2 }, rules: { [SECOND]: rule(3) } });
  expect(merged).toEqual({ capacities: { agents: 6 }, rules: { [FIRST]: rule(2), [SECOND]: rule(3) } });
  expect(mergeMeasured(before, { capacities: {}, rules: { [FIRST]: rule(4) } }).rules).toEqual({ [FIRST]: rule(4) });
});
