/** Which cases are collected, whatever the process has loaded before. */
import { expect, test } from 'vitest';
import { collectCases } from './collect-cases.ts';

test('returns only the requested cases, even if all are loaded', async () => {
  await collectCases();
  expect([...(await collectCases(['vpcs.create.answers-resource'])).keys()]).toHaveLength(1);
});
