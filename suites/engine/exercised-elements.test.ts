/** Checks which elements an exchange counts as exercised. */
import { expect, test } from 'vitest';
import { testExchange } from '../testing/test-run.ts';
import type { Exchange } from '../target/exchange.ts';
import { createElementTracker } from './exercised-elements.ts';

const addresses = { management: 'http://a/v0', host: 'http://a' };

interface Given {
  operation?: Exchange['operation'];
  method?: string;
  path?: string;
  body?: unknown;
  status?: number;
}

function exchangeOf({ operation, method = 'GET', path = '/', body, status = 200 }: Given): Exchange {
  return {
    ...testExchange,
    ...(operation && { operation }),
    request: {
      method,
      url: `http://a/v0${path}`,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    response: { ...testExchange.response, status },
  };
}

function exercisedBy(...given: readonly Given[]): string[] {
  const tracker = createElementTracker(addresses);
  return given.flatMap((each) => tracker.newlyExercised(exchangeOf(each)).map(({ element }) => element));
}

const vpc = (body: unknown, status = 200): Given => ({ operation: 'createVpc', method: 'POST', body, status });
const metadata = { name: 'a' };

test('an element is counted once', () => {
  const given = vpc({ metadata, spec: {} });
  expect(exercisedBy(given)).toContain('body spec');
  expect(exercisedBy(given, given)).toEqual(exercisedBy(given));
});

test('a valid element counts only in an accepted request', () => {
  expect(exercisedBy(vpc({ metadata, spec: {} }, 409))).not.toContain('body spec');
});

test('an invalid element counts if it is the only error', () => {
  expect(exercisedBy(vpc({ metadata }, 400))).toContain('without body spec');
  expect(exercisedBy(vpc({}, 400))).toEqual(['response 400']);
});

test('an invalid element does not count if the caller was refused', () => {
  expect(exercisedBy(vpc({ metadata }, 401))).not.toContain('without body spec');
});

test('the operation of other requests is found by their path', () => {
  expect(exercisedBy({ path: '/accounts' })).toContain('the operation');
  expect(exercisedBy({ path: '/no-such-path' })).toEqual([]);
});
