/** How much of the traffic of others was judged. */
import { counted } from '../spec/counted.ts';
import type { RunFacts } from '../spec/verdicts.ts';

/** Without a full stop. */
export function judgedSentence({ exchanges, skipped }: NonNullable<RunFacts['judged']>): string {
  const sum = skipped.reduce((total, { count }) => total + count, 0);
  const reasons = skipped.map(({ reason, count }) => `${count} × ${reason}`).join(', ');
  return `${counted(exchanges, 'exchange')} judged${sum === 0 ? '' : `, ${sum} skipped (${reasons})`}`;
}
