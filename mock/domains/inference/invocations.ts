/** Records invocations of workloads. */
import { nameOf, type Workload } from '../resources/workloads.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { Invocation } from '../../state/inference.ts';

/** Older ones are dropped. */
export const MAX_INVOCATIONS = 1000;
const MAX_TEXT = 1000;

/** `at` defaults to now. */
export type InvocationInput = Omit<Invocation, 'at' | 'workspace' | 'workload'> & Partial<Pick<Invocation, 'at'>>;

export function recordInvocation({ inference, clock }: WorldState, workload: Workload, invoked: InvocationInput): void {
  const { invocations } = inference;
  const { at = clock.now(), inputs, ...rest } = invoked;
  const called = { at, workspace: workload.workspace.name, workload: nameOf(workload) };
  invocations.push({ ...called, ...rest, inputs: inputs.slice(0, MAX_TEXT) });
  if (invocations.length > MAX_INVOCATIONS) invocations.shift();
}

/** Of a request to an async trigger that ends otherwise than it was recorded. */
export function changeStatus(invocations: Invocation[], requestId: string, status: number): void {
  const index = invocations.findLastIndex((each) => each.requestId === requestId);
  const found = invocations[index];
  if (found !== undefined) invocations[index] = { ...found, status };
}
