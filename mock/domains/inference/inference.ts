/** Records invocations of workloads. */
import { nameOf, type Workload } from '../resources/workloads.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { Invocation } from '../../state/inference.ts';

/** Older ones are dropped. */
export const MOST_INVOCATIONS = 1000;
const MOST_TEXT = 1000;

/** `at` defaults to now. */
export type Invoked = Omit<Invocation, 'at' | 'workspace' | 'workload'> & Partial<Pick<Invocation, 'at'>>;

export function recordInvocation({ inference, clock }: WorldState, workload: Workload, invoked: Invoked): void {
  const { invocations } = inference;
  const { at = clock.now(), inputs, ...rest } = invoked;
  const called = { at, workspace: workload.workspace.name, workload: nameOf(workload) };
  invocations.push({ ...called, ...rest, inputs: inputs.slice(0, MOST_TEXT) });
  if (invocations.length > MOST_INVOCATIONS) invocations.shift();
}
