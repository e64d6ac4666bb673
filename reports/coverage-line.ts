/** Describes the coverage of a run in one sentence, for the terminal, summary.md and the report page. */
import type { Coverage } from '../spec/verdicts.ts';

/** The percentage is rounded down, so that 100 % means all. */
export function coverageLine({ elements, exercised }: Coverage): string {
  const percent = Math.floor((exercised / elements) * 1000) / 10;
  return `${exercised} of ${elements} documented elements exercised (${percent} %).`;
}
