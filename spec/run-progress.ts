/** What the thread that runs the cases reports, once per second, to the thread that prints the progress of the run. */
import type { RuleResult } from './verdicts.ts';

export interface RunProgress {
  /** That have a response, or failed. */
  readonly requestCount: number;
  /** Rules of which at least the first round has ended, except those that could not be tried. */
  readonly testedCount: number;
  /** Rules whose case has ended with verdict failed or error, before known failures are considered. */
  readonly failing: readonly Pick<RuleResult, 'id' | 'verdict'>[];
}

/**
 * The name of a BroadcastChannel: any message from the main thread ends the run, and the other thread answers once, with the
 * outcomes of the cases.
 */
export const interruptionChannel = (runId: string): string => `assay interruption ${runId}`;

/** The name of a BroadcastChannel, which other runs of the same process do not use. */
export const progressChannel = (runId: string): string => `assay progress ${runId}`;
