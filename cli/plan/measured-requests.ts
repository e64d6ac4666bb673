/** The requests of every rule, as `npm run measure` counted them in a run against the mock. */
import type { SharedResource } from '../../suites/engine/locks.ts';
import measured from './measured-requests.json' with { type: 'json' };
import type { Counts } from './request-counts.ts';

export interface MeasuredRule {
  /** Of the first round of inputs. */
  readonly first: Counts;
  /** Of the second round, with DEFAULT_RUNS. */
  readonly later: Counts;
  /** To add to the first round if no other rule runs: requests that the rules of a run share. May be negative. */
  readonly alone: Counts;
  /** How many requests wait for each other, in the first and in the second round. */
  readonly steps: readonly [first: number, later: number];
}

export interface MeasuredRun {
  /** How many cases use a shared resource at the same time, if that is more than locks.ts says. */
  readonly capacities: Readonly<Partial<Record<SharedResource, number>>>;
  readonly rules: Readonly<Record<string, MeasuredRule>>;
}

export const measuredRun = measured as unknown as MeasuredRun;
