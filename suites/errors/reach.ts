/** The documented operations that a run may send invalid requests to, and their paths. */
import { operations } from '../../spec/operations.ts';
import type { Operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { knownNames } from '../target/known-names.ts';
import type { KnownNames } from '../target/known-names.ts';

/** Operations whose successful response never ends: only sent without a credential. */
export const streaming: readonly string[] = ['watchDirectory', 'getFunctionMcp', 'getSandboxMcp'];

/** Every documented operation of the target's surfaces that the run may send. */
export function reachable({ target }: Run): Operation[] {
  return operations.filter((each) => {
    if (!each.documented || target.addresses[each.surface] === undefined) return false;
    // No mistake in this request would prevent it from removing images.
    if (each.id === 'deleteUnusedImages') return target.allow === 'destroy';
    return target.allow !== 'read' || !writes(each);
  });
}

/** Writing methods that change nothing: queries of workloads, MCP and OAuth requests. */
function writes({ id, surface, method }: Operation): boolean {
  return id === 'createJobExecution' || (method !== 'GET' && (surface === 'management' || id === 'writeTree'));
}

/** The request path of an operation. `segment` replaces every path parameter; without it, existing or unknown names do. */
export function pathOf(run: Run, { path, method, surface }: Operation, segment?: string): string {
  const { target } = run;
  // Writes never use existing names. A read-only run never queries a workload either, because that has a cost.
  const spares = surface === 'inference' ? target.allow === 'read' : surface !== 'sandbox' && method !== 'GET';
  const { workspace, ...known } = knownNames(target);
  const names: KnownNames = { workspace, ...(!spares && { ...known, path: 'tmp' }) };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => segment ?? encodeURIComponent(names[name] ?? run.unknownName));
}

/** The required parameters, so that the invalid one is the only mistake. */
export function completeQuery(run: Run, { queryParameters }: Operation): string {
  return queryParameters.includes('startTime') ? new URLSearchParams({ ...pastWindow(run) }).toString() : '';
}
