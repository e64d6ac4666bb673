/** What in the oracle's section is the harness's own fault: such a run is never green. */
import type { OracleReport } from '../../spec/oracle.ts';

/** A sentence each; none where the oracle can be trusted and blames nobody but the target. */
export function oracleFaults({ canaries, checked, disagreements }: OracleReport): string[] {
  const { sent, caught, missed } = canaries;
  return [
    ...(checked > 0 && sent === 0 ? ['Prism was given no known-bad answer, so it proves nothing.'] : []),
    ...(caught === sent
      ? []
      : [`Prism passed over ${sent - caught} of ${sent} known-bad answers, so it proves nothing. ${missed[0] ?? ''}.`]),
    ...disagreements
      .filter(({ blame }) => blame !== 'target')
      .map(({ blame, says, count }) => `The ${blame} are to blame: ${says} (${count} ×).`),
  ];
}
