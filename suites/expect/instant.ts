/** The instant that a member of an answer stands for. */
import { parseInstant } from '../../spec/rfc3339.ts';

/** Milliseconds since 1970; undefined where it is no RFC 3339 timestamp. */
export function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}
