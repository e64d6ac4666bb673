/** What an answer shows of a resource: the envelope, of which any part may be missing or of another form. */
import { isFields } from '../../json/fields.ts';
import { metadataIn } from '../../json/metadata-in.ts';
import type { Fields } from '../../json/fields.ts';
import type { Exchange } from '../../target/client.ts';
import type { Mismatch } from '../../target/violation.ts';

/** A resource within an answer. */
export interface ReturnedResource {
  readonly exchange: Exchange;
  readonly resource: Fields;
}

/** The body itself; undefined where it is no object. */
export function returnedResource(exchange: Exchange): ReturnedResource | undefined {
  const { json } = exchange.response;
  return isFields(json) ? { exchange, resource: json } : undefined;
}

/** Operations whose answer is documented to be the resource; the answers of others may show anything, or nothing. */
export const returnsResource = new Set<string | undefined>(['updateAgent', 'createVpc']);

/** The body where it is a resource: of an answer that is not documented only what has metadata is taken for one. */
export function resourceIn(exchange: Exchange): ReturnedResource | undefined {
  const returned = returnedResource(exchange);
  return returnsResource.has(exchange.operation) || isFields(returned?.resource['metadata']) ? returned : undefined;
}

export const metadataOf = ({ resource }: ReturnedResource): Fields => metadataIn(resource);

/** A value as a mismatch tells it. */
export const formatValue = (value: unknown): string =>
  value === undefined ? 'absent' : JSON.stringify(value).slice(0, 120);

export const mismatch = ({ exchange }: ReturnedResource, expected: string, actual: string): Mismatch => ({
  expected,
  actual,
  exchange,
});
