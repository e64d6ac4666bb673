/** Finds the sandbox of a call, if it is serving. */
import type { Workspace } from '../../state/accounts.ts';
import type { WorldState } from '../../state/world-state.ts';
import { servingWorkload } from '../resources/workloads.ts';
import type { Sandbox, Sandboxes } from './sandboxes.ts';

interface SandboxCall {
  readonly world: WorldState & { readonly sandboxes: Sandboxes };
  readonly workspace: Workspace;
  readonly path: object;
}

/** Its name comes from the host name or path prefix (mock/pipeline/routes.ts), as a path parameter. Throws notFound or notServing. */
export function sandboxOf({ world, workspace, path }: SandboxCall): Sandbox {
  const { sandboxName: name } = path as unknown as { readonly sandboxName: string };
  const { resource } = servingWorkload(world, workspace, 'sandboxes', name);
  return world.sandboxes.open(workspace.name, name, resource.uuid ?? String(resource.createdAt));
}
