/** One sentence with the oracle's figures for a run; contains no text from the target. */
import { counted } from '../../spec/counted.ts';
import { blamedParts } from '../../spec/oracle.ts';
import type { OracleReport } from '../../spec/oracle.ts';

export function oracleLine({ name, canaries, checked, requests, violations, disagreements }: OracleReport): string {
  const broken = violations.reduce((sum, { count }) => sum + count, 0);
  const rules = violations.length === 0 ? '' : ` of ${counted(violations.length, 'rule')}`;
  return [
    `Oracle ${name}: validator self-check ${canaries.caught} of ${canaries.sent}`,
    `${counted(checked, 'response')} and ${counted(requests, 'request')} checked`,
    `${counted(broken, 'violation')}${rules}`,
    `${counted(disagreements.length, 'disagreement')}${blameCounts(disagreements)}.`,
  ].join(', ');
}

function blameCounts(disagreements: OracleReport['disagreements']): string {
  const counts = blamedParts
    .map((blame) => [blame, disagreements.filter((each) => each.blame === blame).length] as const)
    .filter(([, count]) => count > 0)
    .map(([blame, count]) => `${count} ${blame}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}
