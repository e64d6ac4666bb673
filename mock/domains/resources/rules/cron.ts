/** Cron expressions of five fields: minute, hour, day of month, month, day of week. */
import { createRequire } from 'node:module';
import type { Cron } from 'croner';

const FIELDS = 5;
// Not an import: few worlds have a schedule, and every mock would wait for it when it starts.
const require = createRequire(import.meta.url);

/** What is wrong with an expression; undefined where nothing is. */
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

/** Throws a TypeError where the expression is none. Lenient about `5/15`, which much of the field reads as `5-59/15`. */
export function readCron(expression: string): Cron {
  const croner = require('croner') as typeof import('croner');
  // An offset rather than the time zone UTC: croner then takes a seventh of the time for each instant.
  return new croner.Cron(expression, { mode: '5-part', sloppyRanges: true, paused: true, utcOffset: 0 });
}
