/** groupBy lists with one name that is not a dimension and that no other rule covers. */
import * as fc from 'fast-check';
import { dimensions } from '../metrics/dimensions.ts';
import type { Dimension } from '../metrics/dimensions.ts';

/** Without label and unit, which another rule covers. */
const accepted = new Set<string>([...dimensions, 'label', 'unit']);

/** Near misses, lists with other separators, other words of the interface, and names that every JavaScript object has. */
export const nearMisses = [
  ...'resourceType resourceName resourceUuid billingDimension resource-type billing-dimension'.split(' '),
  ...'workspaces workspac resource resource_ type name uuid dimension resource_types resource_id'.split(' '),
  ...'region account cost usage resolution sandbox sandbox_compute_runtime_gbs all none * 0'.split(' '),
  ...'resource_type;billing_dimension resource_type|billing_dimension [resource_type] ["resource_type"]'.split(' '),
  ...'constructor __proto__ toString hasOwnProperty length null undefined'.split(' '),
  ...dimensions.flatMap((name) => [name.toUpperCase(), name[0]!.toUpperCase() + name.slice(1), `${name}s`, `${name}_`]),
];

const otherCase = fc
  .constantFrom(...dimensions)
  .chain((name) => fc.mixedCase(fc.constant(name), { untoggleAll: (cased) => cased.toLowerCase() }));

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,30}$/);

/** Without commas and spaces, which a server may split or trim. */
const unknownDimension: fc.Arbitrary<string> = fc
  .oneof(fc.constantFrom(...nearMisses), otherCase, word)
  .filter((name) => !accepted.has(name));

/** The unknown name alone, or at any position among one or two of `names`. */
export function listWithUnknown(names: readonly Dimension[]): fc.Arbitrary<string> {
  return fc
    .record({
      unknown: unknownDimension,
      others: fc.shuffledSubarray([...names], { maxLength: 2 }),
      at: fc.nat({ max: 2 }),
    })
    .map(({ unknown, others, at }) => [...others.slice(0, at), unknown, ...others.slice(at)].join(','));
}
