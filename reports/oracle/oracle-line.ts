/** What the oracle says of a run, in one sentence of figures; no text of a target is in it. */
import { blames } from '../../spec/oracle.ts';
import type { OracleReport } from '../../spec/oracle.ts';

export function oracleLine({ name, canaries, checked, requests, violations, disagreements }: OracleReport): string {
  const broken = violations.reduce((sum, { count }) => sum + count, 0);
  const rules = violations.length === 0 ? '' : ` of ${counted(violations.length, 'rule')}`;
  return [
    `Oracle ${name}: ${canaries.caught} of ${canaries.sent} canaries caught`,
    `${counted(checked, 'answer')} and ${counted(requests, 'request')} checked`,
    `${counted(broken, 'violation')}${rules}`,
    `${counted(disagreements.length, 'disagreement')}${blamed(disagreements)}.`,
  ].join(', ');
}

function blamed(disagreements: OracleReport['disagreements']): string {
  const counts = blames
    .map((blame) => [blame, disagreements.filter((each) => each.blame === blame).length] as const)
    .filter(([, count]) => count > 0)
    .map(([blame, count]) => `${count} ${blame}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
