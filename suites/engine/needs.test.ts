import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import type { Need } from '../../spec/requirements/requirement.ts';
import { missingNeed, needsUndeclared } from './needs.ts';
import { testTarget } from '../testing/test-run.ts';

const base = requirement('metrics.group-by.at-most-three');
const needing = (...needs: Need[]) => ({ ...base, needs });
const target = testTarget({ address: 'http://127.0.0.1:9' });

test('no need is missing if the target meets all', () => {
  expect(missingNeed(needing('admin', 'agent'), target)).toBeUndefined();
});

test('the first missing need is returned with its description', () => {
  expect(missingNeed(needing('admin', 'member', 'client'), target)).toBe(
    'member: a credential that may read metrics but lacks the account-admin role',
  );
});

test('destroy includes write, but not vice versa', () => {
  expect(missingNeed(needing('write'), { ...target, allow: 'destroy' })).toBeUndefined();
  expect(missingNeed(needing('destroy'), { ...target, allow: 'write' })).toMatch(/^destroy/);
  expect(missingNeed(needing('write'), target)).toMatch(/^write/);
});

test('a scope needs a credential of exactly that scope', () => {
  const scoped = { ...target, credentials: { scoped: { 'agents:update': { value: 'x', name: 'X' } } } };
  expect(missingNeed(needing('scope:agents:update'), scoped)).toBeUndefined();
  expect(missingNeed(needing('scope:agents:get'), scoped)).toMatch(/^scope:agents:get/);
});

test('a client is of no use to a rule about tokens if the target has no operation that issues them', () => {
  const rule = requirement('oauth.client-credentials.token-works');
  expect(needsUndeclared(rule, 'client', { operations: ['listAccounts'] })).toBe(true);
  expect(needsUndeclared(rule, 'client', { operations: ['listAccounts', 'requestToken'] })).toBe(false);
  expect(needsUndeclared(rule, 'client', {})).toBe(false);
  const execution = requirement('jobs.executions.billed');
  expect(needsUndeclared(execution, 'job', { operations: ['getAccountMetrics'] })).toBe(true);
  expect(needsUndeclared(execution, 'write', { operations: ['getAccountMetrics'] })).toBe(false);
});
