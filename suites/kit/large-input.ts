/** Inputs that a target may refuse only because of their size: "Request size limits: not shown" (decision 063). */
import type { Run } from '../engine/run.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Mismatch } from '../target/violation.ts';
import { isInvalid, statusClass } from '../expect/status.ts';

/** By unit: how many the input has, and how many every target accepts. */
export type Sizes = Readonly<Record<string, readonly [actual: number, accepted: number]>>;

/** Characters of a request body that every target accepts. */
export const PLAIN_CHARACTERS = 300;

/** 2xx. An input that is large may be refused instead, and any that has to be paid for; then it shows nothing. */
export function acceptedUnlessLarge(run: Pick<Run, 'skipInput'>, exchange: Exchange, sizes: Sizes): Mismatch[] {
  if (exchange.response.status === PAYMENT_REQUIRED) return run.skipInput('a quota that is not used up (status 402)');
  const large = describeLarge(sizes);
  return large !== undefined && refusesSize(exchange)
    ? run.skipInput(`a target that accepts ${large} (refused with status ${exchange.response.status})`)
    : statusClass(exchange, '2xx');
}

const PAYMENT_REQUIRED = 402;

/** The target finds the request invalid or too large (RFC 9110 section 15.5.14). */
const refusesSize = (exchange: Exchange): boolean => isInvalid(exchange) || exchange.response.status === 413;

/** Undefined if no size is larger than what every target accepts. */
export function describeLarge(sizes: Sizes): string | undefined {
  const large = Object.entries(sizes).filter(([, [actual, accepted]]) => actual > accepted);
  return large.length === 0 ? undefined : large.map(([unit, [actual]]) => `${actual} ${unit}`).join(' and ');
}

/** A target may also refuse these, as in files (decision 025). Line feeds and tabs are texts. */
export const controlCharacters = (text: string): Sizes[string] => [text.match(/[^\P{Cc}\n\t]/gu)?.length ?? 0, 0];

/** Objects and lists within each other, including the value itself. */
export const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

/** Of labels. The interface names no limit for them, unlike for a name and a displayName. */
export function labelSizes(labels: unknown): Sizes {
  const entries = Object.entries(typeof labels === 'object' && labels !== null ? labels : {});
  const longest = Math.max(0, ...entries.flatMap((entry) => entry.map((text) => String(text).length)));
  return { labels: [entries.length, 3], 'characters in a label': [longest, 30] };
}
