/** A resource in a response: the envelope, of which any part may be missing or of a wrong type. */
import { isFields } from '../../json/fields.ts';
import { metadataIn } from '../../json/metadata-in.ts';
import type { Fields } from '../../json/fields.ts';
import type { Exchange } from '../../target/client.ts';
import type { Mismatch } from '../../target/violation.ts';

export { formatBoth, formatValue } from '../../expect/format-value.ts';

/** A resource in a response. */
export interface ReturnedResource {
  readonly exchange: Exchange;
  readonly resource: Fields;
}

/** The body as a resource. Undefined if it is not an object. */
export function returnedResource(exchange: Exchange): ReturnedResource | undefined {
  const { json } = exchange.response;
  return isFields(json) ? { exchange, resource: json } : undefined;
}

/** Operations whose documented response is the resource. The responses of others are undocumented. */
export const returnsResource = new Set<string | undefined>(['updateAgent', 'createVpc']);

/** Those whose documented response is the resource come first: their responses show most. */
export const documentedFirst = <T extends { readonly id: string }>(writes: readonly T[]): T[] =>
  writes.toSorted((one, other) => Number(returnsResource.has(other.id)) - Number(returnsResource.has(one.id)));

/** The body if it is a resource. An undocumented response only counts as one if it has metadata. */
export function resourceIn(exchange: Exchange): ReturnedResource | undefined {
  const returned = returnedResource(exchange);
  return returnsResource.has(exchange.operation) || isFields(returned?.resource['metadata']) ? returned : undefined;
}

export const metadataOf = ({ resource }: ReturnedResource): Fields => metadataIn(resource);

export const mismatch = ({ exchange }: ReturnedResource, expected: string, actual: string): Mismatch => ({
  expected,
  actual,
  exchange,
});
