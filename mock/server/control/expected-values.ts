/** Limits the expected bodies of a call, with which each request, or each entry of the journal, is compared. */
import { countValues } from '../../../spec/count-values.ts';
import { requireAtMost } from '../../http/limits.ts';

/** Throws invalidField if the bodies have too many values together. */
export const requireFewExpectedValues = (bodies: readonly unknown[]): void =>
  requireAtMost('expectedValues', countValues(bodies), 'the expected bodies');
