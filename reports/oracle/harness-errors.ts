/** Errors of assay itself that the oracle revealed: a run with any of them never passes. */
import type { OracleReport } from '../../spec/oracle.ts';
import { describeSelfCheckFailure } from '../../spec/prism/self-check-failure.ts';

/** One sentence each; empty if the oracle can be trusted and every disagreement is the target's. */
export function oracleErrors({ canaries, checked, nothingToSay, disagreements }: OracleReport): string[] {
  const wasUsed = checked + nothingToSay + canaries.sent > 0;
  const selfCheckFailure = wasUsed ? describeSelfCheckFailure(canaries) : undefined;
  return [
    ...(selfCheckFailure === undefined ? [] : [selfCheckFailure]),
    ...disagreements
      .filter(({ blame }) => blame !== 'target')
      .map(({ blame, says, count }) => `Error in the ${blame}: ${says} (${count} ×).`),
  ];
}
