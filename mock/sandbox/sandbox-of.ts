/** The sandbox that a call is for. */
import type { Call } from '../endpoint.ts';
import { notFound } from '../problems.ts';
import { findResource } from '../world/resources.ts';
import type { Sandbox } from './sandboxes.ts';

/** Host name or path prefix name it (mock/routes.ts), so it stands among the path values of every sandbox operation. */
export function sandboxOf({ world, workspace, path }: Pick<Call, 'world' | 'workspace' | 'path'>): Sandbox {
  const { sandboxName: name } = path as unknown as { readonly sandboxName: string };
  const resource = findResource(world, `${workspace.name}/sandboxes`, name);
  if (resource === undefined) throw notFound('Sandbox', name);
  return world.sandboxes.open(workspace.name, name, resource.uuid ?? String(resource.createdAt));
}
