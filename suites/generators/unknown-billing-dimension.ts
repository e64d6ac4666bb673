/** Values of billingDimension that are not in the table. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';

const known: readonly string[] = requirement('metrics.filters.billing-dimension-known').values.billingDimensions;

/** Near misses, words of the interface, lists, and names that every JavaScript object has. */
export const unknownBillingDimensions: readonly string[] = [
  ...known.flatMap((name) => [name.toUpperCase(), name.replace(/_[a-z]+$/, ''), `${name}_`, name.replaceAll('_', '-')]),
  ...known.slice(0, 2).map((name) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())),
  known.slice(0, 2).join(','),
  ...'agent_snapshot_storage_gbs job_async_requests_count volume_compute_runtime_gbs function_compute_runtime_gbs'.split(
    ' ',
  ),
  ...'sandbox agent compute gbs count hours billing_dimension all * 0 null undefined'.split(' '),
  ...'constructor __proto__ toString hasOwnProperty'.split(' '),
].filter((name) => !known.includes(name));

/** Without surrounding spaces, because a server may trim. */
export const unknownBillingDimension: fc.Arbitrary<string> = fc
  .oneof(fc.constantFrom(...unknownBillingDimensions), fc.stringMatching(/^[a-z][a-z0-9_]{0,40}$/))
  .filter((name) => !known.includes(name));
