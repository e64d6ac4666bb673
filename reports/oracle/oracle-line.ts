/** One sentence with the oracle's figures for a run; contains no text from the target. */
import { blames } from '../../spec/oracle.ts';
import type { OracleReport } from '../../spec/oracle.ts';

export function oracleLine({ name, canaries, checked, requests, violations, disagreements }: OracleReport): string {
  const broken = violations.reduce((sum, { count }) => sum + count, 0);
  const rules = violations.length === 0 ? '' : ` of ${plural(violations.length, 'rule')}`;
  return [
    `Oracle ${name}: validator self-check ${canaries.caught} of ${canaries.sent}`,
    `${plural(checked, 'response')} and ${plural(requests, 'request')} checked`,
    `${plural(broken, 'violation')}${rules}`,
    `${plural(disagreements.length, 'disagreement')}${blameCounts(disagreements)}.`,
  ].join(', ');
}

function blameCounts(disagreements: OracleReport['disagreements']): string {
  const counts = blames
    .map((blame) => [blame, disagreements.filter((each) => each.blame === blame).length] as const)
    .filter(([, count]) => count > 0)
    .map(([blame, count]) => `${count} ${blame}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
