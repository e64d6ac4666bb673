/** Attached volumes must exist in the workspace and region of the workload. */
import type { AgentSpec } from '../../../../spec/generated/types.ts';
import { invalidField } from '../../../http/problems.ts';
import { isObject } from '../../../../spec/json-object.ts';
import { isBeingDeleted } from '../../../state/deployments.ts';
import { findResource, listResources } from '../../../state/resources.ts';
import { stringMember, type Rule, type Write } from './rule.ts';

/** Of agents, which need a region for it. */
export const checkVolumeAttachments: Rule = (write) => {
  const { region, volumes = [] } = write.spec as AgentSpec;
  if (volumes.length > 0 && (region === undefined || region === '')) {
    throw invalidField('spec.region', region, 'a region, since volumes are attached');
  }
  requireVolumes(write, volumes, region);
};

/** Of other workloads, whose region is that of the workspace by default. */
export const checkMountedVolumes: Rule = (write) => {
  const { volumes = [] } = write.spec;
  if (!Array.isArray(volumes))
    throw invalidField('spec.volumes', volumes, 'a list of objects with the name of a volume');
  if (volumes.length > 0) requireVolumes(write, volumes, stringMember(write.spec, 'region') ?? write.workspace.region);
};

function requireVolumes(write: Write, volumes: readonly unknown[], region: string | undefined): void {
  for (const [index, volume] of volumes.entries()) {
    const name = isObject(volume) ? volume['name'] : undefined;
    if (typeof name === 'string' && regionOfVolume(write, name) === region) continue;
    throw invalidField(
      `spec.volumes[${index}].name`,
      name,
      `a volume of region ${region} in workspace ${write.workspace.name}${listed(write, region)}`,
    );
  }
}

/** Undefined if the volume does not exist or is being deleted. */
export function regionOfVolume({ world, workspace }: Write, name: string): unknown {
  const volume = findResource(world, `${workspace.name}/volumes`, name);
  return volume === undefined || isBeingDeleted(volume.deployments) ? undefined : volume.spec['region'];
}

function listed({ world, workspace }: Write, region: string | undefined): string {
  const names = listResources(world, `${workspace.name}/volumes`)
    .filter(({ spec }) => spec['region'] === region)
    .map(({ name }) => name);
  return names.length === 0 ? ', which has none' : ` (${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''})`;
}
