/** The sandbox that a call is for, if it takes requests. */
import type { Call } from '../../endpoints/endpoint.ts';
import { servingWorkload } from '../resources/serving.ts';
import type { Sandbox } from './sandboxes.ts';

/** Host name or path prefix name it (mock/pipeline/routes.ts), so it stands among the path values of every sandbox operation. Throws notFound or notServing. */
export function sandboxOf({ world, workspace, path }: Pick<Call, 'world' | 'workspace' | 'path'>): Sandbox {
  const { sandboxName: name } = path as unknown as { readonly sandboxName: string };
  const { resource } = servingWorkload(world, workspace, 'sandboxes', name);
  return world.sandboxes.open(workspace.name, name, resource.uuid ?? String(resource.createdAt));
}
