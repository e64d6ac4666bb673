import { expect, test } from 'vitest';
import { operations } from '../operations.ts';
import * as documents from '../values.ts';
import { earliestStable } from '../versions.ts';
import * as values from './values.mjs';

test.each([
  ['statuses', documents.statuses],
  ['generations', documents.generations],
  ['triggerTypes', documents.triggerTypes],
  ['resolutions', documents.resolutions],
  ['groupByDimensions', documents.groupByDimensions],
  ['billingDimensions', documents.billingDimensions],
] as const)('the %s of the ruleset are those of the documents', (name, wanted) => {
  const { [name]: own } = values;
  expect(own).toEqual(wanted);
});

test('the scopes of the ruleset are those of the documents, admin apart', () => {
  const scopes = Object.entries(values.scopeActions).flatMap(([resource, actions]) =>
    actions.map((action) => `${resource}:${action}`),
  );
  expect(new Set(['admin', ...scopes])).toEqual(new Set(documents.scopes));
});

test('the collections of the ruleset are the first parts of the management paths', () => {
  const firsts = operations.filter(({ surface }) => surface === 'management').map(({ path }) => path.split('/')[1]);
  expect(new Set(values.collections)).toEqual(new Set(firsts));
});

test('the operations of the ruleset are the documented ones', () => {
  const isOfStandard = (path: string) => path === '/' || /^\/oauth\/|\/mcp$/.test(path);
  const documented = operations.filter((each) => each.documented && !isOfStandard(each.path));
  const blank = (path: string) => path.replaceAll(/\{[^{}]*\}/g, '{}');
  expect(values.documentedOperations.toSorted()).toEqual(
    documented.map(({ method, path }) => `${method.toLowerCase()} ${blank(path)}`).toSorted(),
  );
});

test('the limits of the ruleset are those of the interface', () => {
  expect(values.limits).toEqual({
    nameLength: documents.limits.nameLength,
    displayNameLength: documents.limits.displayNameLength,
    triggerTimeoutSeconds: documents.limits.triggerTimeoutSeconds,
    metricsPage: documents.limits.metricsPageMax,
    groupByDimensions: documents.limits.groupByDimensions,
  });
  expect(Object.keys(values.windowCaps)).toEqual(
    Object.keys(documents.windowCaps).filter((name) => name !== 'monthly'),
  );
});

test('the earliest version of the ruleset is that of the interface', () => {
  expect(values.earliestVersion).toBe(earliestStable);
});
