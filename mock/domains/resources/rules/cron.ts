/** Cron expressions with five fields: minute, hour, day of month, month, day of week. */
import { cronCalendar } from '../../../time/cron-calendar.ts';

const FIELDS = 5;

/** What is wrong with an expression; undefined if it is valid. */
export function cronFault(expression: string): string | undefined {
  const fields = expression.trim() === '' ? 0 : expression.trim().split(/\s+/).length;
  if (fields !== FIELDS) return `it has ${fields} fields`;
  try {
    cronCalendar(expression);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
