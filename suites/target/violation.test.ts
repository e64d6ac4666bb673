import { expect, test } from 'vitest';
import { testExchange } from '../testing/test-run.ts';
import { Violation } from './violation.ts';

test('the message names each difference once, however many exchanges have it', () => {
  const differ = (actual: string) => ({ expected: 'no status 404', actual, exchange: testExchange });
  const { message, mismatches } = new Violation(['status 404', 'status 404', 'status 405', 'status 404'].map(differ));
  expect(message).toBe('status 404, expected no status 404; status 405, expected no status 404');
  expect(mismatches).toHaveLength(4);
});
