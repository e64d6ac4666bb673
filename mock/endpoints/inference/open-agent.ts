/** Finds the agent of a call, if the caller may query it and it is serving. */
import type { OptionalAuthCall } from '../endpoint.ts';
import { missingCredential } from '../../http/problems.ts';
import { ofRevision } from '../../domains/inference/revisions.ts';
import { runningCanary } from '../../domains/resources/canaries.ts';
import { generationOf } from '../../domains/resources/rules/generation.ts';
import { findWorkload, servingWorkload, withServedSpec, type Workload } from '../../domains/resources/workloads.ts';
import type { WorldState } from '../../state/world-state.ts';

/** Without a credential, a missing agent gets the same response as one that is not public. */
export function findAccessibleAgent({ world, workspace, credential, path }: OptionalAuthCall): Workload {
  const agent = findWorkload(world, workspace, 'agents', path.agent);
  if (credential === undefined && (agent === undefined || !isOpen(world, agent)))
    throw missingCredential(world.headers.authorization);
  return servingWorkload(world, workspace, 'agents', path.agent);
}

/** Whether a public agent responds only with revisions of generation mk3 (auth.public-agent.never-on-mk2). */
function isOpen(world: WorldState, agent: Workload): boolean {
  const { workspace, resource } = agent;
  const main = withServedSpec(world, agent).resource;
  const canary = runningCanary(world, workspace, resource, world.clock.now());
  const responding = canary === undefined ? [main] : [main, ofRevision(resource, canary.revision)];
  return responding.every(({ spec }) => spec['public'] === true && generationOf(spec) === 'mk3');
}

/** Undefined if the call has no thread. */
export function threadOf({ headers, world }: OptionalAuthCall): string | undefined {
  const thread = headers[world.headers.threadId.toLowerCase()];
  return thread === undefined || thread === '' ? undefined : String(thread);
}

/** What identifies the client of a sticky session; undefined if nothing does. */
export function sessionOf(call: OptionalAuthCall): string | undefined {
  return threadOf(call) ?? call.credential?.caller.id;
}
