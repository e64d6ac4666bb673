/** What in the oracle's section is the harness's own fault: such a run is never green. */
import type { OracleReport } from '../../spec/oracle.ts';
import { whyDistrusted } from '../../spec/prism/distrust.ts';

/** A sentence each; none where the oracle can be trusted and blames nobody but the target. */
export function oracleFaults({ canaries, checked, nothingToSay, disagreements }: OracleReport): string[] {
  const isAsked = checked + nothingToSay + canaries.sent > 0;
  const distrust = isAsked ? whyDistrusted(canaries) : undefined;
  return [
    ...(distrust === undefined ? [] : [distrust]),
    ...disagreements
      .filter(({ blame }) => blame !== 'target')
      .map(({ blame, says, count }) => `The ${blame} are to blame: ${says} (${count} ×).`),
  ];
}
