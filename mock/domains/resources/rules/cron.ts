/** Cron expressions with five fields: minute, hour, day of month, month, day of week. */
import { createRequire } from 'node:module';
import type { Cron } from 'croner';

const FIELDS = 5;
// Loaded on demand: few worlds have a schedule.
const require = createRequire(import.meta.url);

/** What is wrong with an expression; undefined if it is valid. */
export function cronFault(expression: string): string | undefined {
  const fields = expression.trim() === '' ? 0 : expression.trim().split(/\s+/).length;
  if (fields !== FIELDS) return `it has ${fields} fields`;
  try {
    readCron(expression);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Throws a TypeError if it is invalid. Accepts `5/15`, which many implementations read as `5-59/15`. */
export function readCron(expression: string): Cron {
  const croner = require('croner') as typeof import('croner');
  // With an offset instead of the time zone UTC, croner is seven times as fast.
  return new croner.Cron(expression, { mode: '5-part', sloppyRanges: true, paused: true, utcOffset: 0 });
}
