/** Which documented operations a run may send garbage to, and where they are. */
import { operations } from '../../spec/operations.ts';
import type { Operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { knownNames } from '../target/known-names.ts';
import type { KnownNames } from '../target/known-names.ts';

/** Answered, where they are, with a stream that does not end: asked without a credential only. */
export const streaming: readonly string[] = ['watchDirectory', 'getFunctionMcp', 'getSandboxMcp'];

/** Every documented operation of the surfaces that the target has, as far as the run may send it. */
export function reachable({ target }: Run): Operation[] {
  return operations.filter((each) => {
    if (!each.documented || target.addresses[each.surface] === undefined) return false;
    // Nothing that could be wrong with this one keeps it from removing images.
    if (each.id === 'deleteUnusedImages') return target.allow === 'destroy';
    return target.allow !== 'read' || !writes(each);
  });
}

/** Asking a workload, MCP and the OAuth requests change nothing. */
function writes({ id, surface, method }: Operation): boolean {
  return id === 'createJobExecution' || (method !== 'GET' && (surface === 'management' || id === 'writeTree'));
}

/** The path of an operation as it is sent. `segment` takes the place of every path value, else known or unknown names do. */
export function pathOf(run: Run, { path, method, surface }: Operation, segment?: string): string {
  const { target } = run;
  // What writes is never sent to something that is there; nor is a workload asked, which costs, by a run that only reads.
  const spares = surface === 'inference' ? target.allow === 'read' : surface !== 'sandbox' && method !== 'GET';
  const { workspace, ...known } = knownNames(target);
  const names: KnownNames = { workspace, ...(!spares && { ...known, path: 'tmp' }) };
  return path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => segment ?? encodeURIComponent(names[name] ?? `${run.prefix}none`),
  );
}

/** What makes the query complete, so that the garbage beside it is what the server stumbles over. */
export function completeQuery(run: Run, { queryParameters }: Operation): string {
  return queryParameters.includes('startTime') ? new URLSearchParams({ ...pastWindow(run) }).toString() : '';
}
