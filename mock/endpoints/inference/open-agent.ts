/** The agent that a call is for, if the caller may ask it and it takes requests. */
import type { OpenCall } from '../endpoint.ts';
import { missingCredential } from '../../http/problems.ts';
import { findWorkload, servingWorkload, type Workload } from '../../domains/resources/workloads.ts';

/** Without a credential an agent that is not there looks as one that is not public. */
export function openAgent({ world, workspace, credential, path }: OpenCall): Workload {
  const agent = findWorkload(world, workspace, 'agents', path.agent);
  if (credential === undefined && agent?.resource.spec['public'] !== true)
    throw missingCredential(world.headers.authorization);
  return servingWorkload(world, workspace, 'agents', path.agent);
}

/** Undefined where the call names no thread. */
export function threadOf({ headers, world }: OpenCall): string | undefined {
  const thread = headers[world.headers.threadId.toLowerCase()];
  return thread === undefined || thread === '' ? undefined : String(thread);
}
