/** The volumes that a workload mounts. */
import { isObject, type JsonObject } from '../../http/json-object.ts';
import type { Deployment } from '../../state/deployments.ts';
import { activeDeployment } from '../../state/revisions.ts';

/** Their names. */
export function mountedVolumes({ volumes }: JsonObject): string[] {
  const attachments: readonly unknown[] = Array.isArray(volumes) ? volumes : [];
  const names = attachments.map((volume) => (isObject(volume) ? volume['name'] : undefined));
  return names.filter((name) => typeof name === 'string');
}

/** The deployment of the active revision, which responds instead of the newest one. Only agents have one. */
export function activeOf(
  collection: string,
  spec: JsonObject,
  deployments: readonly Deployment[],
): Deployment | undefined {
  return collection === 'agents' ? activeDeployment(spec, deployments) : undefined;
}
