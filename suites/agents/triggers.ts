/** Valid triggers, and positions for one more among them. */
import type { Run } from '../engine/conforms.ts';
import type { TriggerType } from '../kit/generators/agent-body.ts';
import { sampleCallbackUrl, sampleSchedule } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';

export interface Trigger {
  readonly type: string;
  readonly configuration: object;
}

/** A valid trigger of a type. */
export interface TriggerOf<Type extends TriggerType> extends Trigger {
  readonly type: Type;
}

export const cron = (schedule: string): TriggerOf<'cron'> => ({ type: 'cron', configuration: { schedule } });

export const httpAsync = (run: Run, path: string, options: object = {}): TriggerOf<'http-async'> => ({
  type: 'http-async',
  configuration: { path, callbackUrl: sampleCallbackUrl(run), ...options },
});

export const http = (path: string): TriggerOf<'http'> => ({ type: 'http', configuration: { path } });

/** Every type, at least twice. */
export const validTriggers = (run: Run): readonly TriggerOf<TriggerType>[] => [
  http('/assay/sound'),
  httpAsync(run, '/assay/sound-later'),
  cron(sampleSchedule(run)),
  http('/assay/sound-again'),
  httpAsync(run, '/assay/sound-later-still'),
  cron(sampleSchedule(run, '30 18 * * 5')),
  http('/assay/sound-at-last'),
];

/** The number of triggers before and after it. */
export type Position = readonly [before: number, behind: number];

/** Alone, first, in the middle, last of many. */
export const allPositions: readonly Position[] = [
  [0, 0],
  [0, 3],
  [1, 2],
  [7, 0],
];

/** Rotates the positions. */
export const positionAt = (index: number, some: readonly Position[]): Position => some[index % some.length]!;

export function insertTrigger(run: Run, trigger: object, [before, behind]: Position): object[] {
  const others = validTriggers(run);
  return [...others.slice(0, before), trigger, ...others.slice(before, before + behind)];
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
