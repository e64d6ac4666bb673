import type { Finding } from '../../spec/validators.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Mismatch } from '../target/violation.ts';

/** How a response body differs from its schema. */
export function schemaMismatches(exchange: Exchange, shape: readonly Finding[] = exchange.shape): Mismatch[] {
  return shape.map(({ at, says }) => ({
    expected: 'the documented fields and types',
    actual: `${at === '' ? 'the body' : at} ${says}`,
    exchange,
  }));
}
