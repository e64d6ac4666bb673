/** Invalid triggers in anybody's updates. */
import { requirement } from '../../spec/requirements/index.ts';
import { limits } from '../../spec/values.ts';
import type { Fields } from '../json/fields.ts';
import { configurationOf } from '../kit/agents/seen-update.ts';

const types: readonly unknown[] = requirement('agents.triggers.type-known').values.types;

/** An empty type may count as none (decision 041). */
export const isUnknownType = (type: unknown): boolean =>
  typeof type === 'string' && type !== '' && !types.includes(type);

/** A cron trigger whose schedule does not have five fields. */
export function hasOddSchedule(trigger: Fields): boolean {
  const { schedule } = configurationOf(trigger);
  if (trigger['type'] !== 'cron' || typeof schedule !== 'string') return false;
  return schedule.split(/\s+/).filter((field) => field !== '').length !== limits.cronFields;
}
