/** Filters of recorded requests as query parameters. */
import type { RecordedMatch } from '../../pipeline/rule-formats.ts';

/** Members whose query parameters are JSON. */
export const JSON_MEMBERS: ReadonlySet<string> = new Set([
  'query',
  'headers',
  'body',
] satisfies (keyof RecordedMatch)[]);

export function filterParameters(filter: RecordedMatch): Record<string, string> {
  const members = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      typeof value === 'string' && !JSON_MEMBERS.has(name) ? value : JSON.stringify(value),
    ]),
  );
}
