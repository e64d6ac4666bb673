/** Valid triggers, and positions for one more among them. */
import type { Exchange } from '../target/client.ts';

export interface Trigger {
  readonly type: string;
  readonly configuration: object;
}

export const cron = (schedule: string): Trigger => ({ type: 'cron', configuration: { schedule } });

export const httpAsync = (path: string, options: object = {}): Trigger => ({
  type: 'http-async',
  configuration: { path, callbackUrl: 'https://example.com/assay', ...options },
});

export const http = (path: string): Trigger => ({ type: 'http', configuration: { path } });

/** Every type, at least twice. */
export const validTriggers: readonly Trigger[] = [
  http('/assay/sound'),
  httpAsync('/assay/sound-later'),
  cron('0 9 * * 1'),
  http('/assay/sound-again'),
  httpAsync('/assay/sound-later-still'),
  cron('30 18 * * 5'),
  http('/assay/sound-at-last'),
];

/** Number of triggers before and after it: alone, first, in the middle, last of many. */
export const positions: readonly (readonly [number, number])[] = [
  [0, 0],
  [0, 3],
  [1, 2],
  [7, 0],
];

/** Rotates the positions. */
export const positionAt = (index: number): readonly [number, number] => positions[index % positions.length]!;

export function insertTrigger(trigger: object, [before, behind]: readonly [number, number]): object[] {
  return [...validTriggers.slice(0, before), trigger, ...validTriggers.slice(before, before + behind)];
}

interface ReturnedTrigger {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly configuration?: { readonly [field: string]: unknown };
}

export function triggersIn({ response: { json } }: Exchange): readonly ReturnedTrigger[] {
  const { spec } = (json ?? {}) as { spec?: { triggers?: unknown } };
  return Array.isArray(spec?.triggers) ? (spec.triggers as readonly ReturnedTrigger[]) : [];
}
