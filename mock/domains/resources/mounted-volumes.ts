/** The volumes that a workload mounts. */
import { isObject, type JsonObject } from '../../../spec/json-object.ts';
import type { Deployment } from '../../state/deployments.ts';
import { activeDeployment, canaryDeployment } from '../../state/revisions.ts';

/** Their names. */
export function mountedVolumes({ volumes }: JsonObject): string[] {
  const attachments: readonly unknown[] = Array.isArray(volumes) ? volumes : [];
  const names = attachments.map((volume) => (isObject(volume) ? volume['name'] : undefined));
  return names.filter((name) => typeof name === 'string');
}

/** Which revisions an agent has besides the newest one. */
export interface ChosenRevisions {
  /** Responds instead of the newest one. */
  readonly active?: Deployment | undefined;
  /** Gets a share of the requests. */
  readonly canary?: Deployment | undefined;
}

/** Empty for other workloads. */
export function chosenRevisions(
  collection: string,
  spec: JsonObject,
  deployments: readonly Deployment[],
): ChosenRevisions {
  if (collection !== 'agents') return {};
  return { active: activeDeployment(spec, deployments), canary: canaryDeployment(spec, deployments) };
}
