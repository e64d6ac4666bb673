/** Triggers that nothing is wrong with, and the places that one more can have among them. */
import type { Exchange } from '../target/client.ts';

export interface Trigger {
  readonly type: string;
  readonly configuration: object;
}

export const cron = (schedule: string): Trigger => ({ type: 'cron', configuration: { schedule } });

export const later = (path: string, more: object = {}): Trigger => ({
  type: 'http-async',
  configuration: { path, callbackUrl: 'https://example.com/assay', ...more },
});

export const http = (path: string): Trigger => ({ type: 'http', configuration: { path } });

/** Of every type, twice and more. */
export const sound: readonly Trigger[] = [
  http('/assay/sound'),
  later('/assay/sound-later'),
  cron('0 9 * * 1'),
  http('/assay/sound-again'),
  later('/assay/sound-later-still'),
  cron('30 18 * * 5'),
  http('/assay/sound-at-last'),
];

/** How many stand before it, and how many behind: alone, first, in the middle, last of many. */
export const places: readonly (readonly [number, number])[] = [
  [0, 0],
  [0, 3],
  [1, 2],
  [7, 0],
];

/** Takes the places in turn. */
export const placeAt = (index: number): readonly [number, number] => places[index % places.length]!;

export function inPlace(trigger: object, [before, behind]: readonly [number, number]): object[] {
  return [...sound.slice(0, before), trigger, ...sound.slice(before, before + behind)];
}

interface Shown {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly configuration?: { readonly [field: string]: unknown };
}

export function triggersIn({ answer: { json } }: Exchange): readonly Shown[] {
  const { spec } = (json ?? {}) as { spec?: { triggers?: unknown } };
  return Array.isArray(spec?.triggers) ? (spec.triggers as readonly Shown[]) : [];
}
