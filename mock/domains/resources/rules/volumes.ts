/** Attached volumes must exist in the workspace and region of the agent. */
import type { AgentSpec } from '../../../../spec/generated/types.ts';
import { invalidField } from '../../../http/problems.ts';
import { isBeingDeleted } from '../../../state/deployments.ts';
import { findResource, listResources } from '../../../state/resources.ts';
import type { Rule, Write } from './rule.ts';

export const checkVolumeAttachments: Rule = (write) => {
  const { region, volumes = [] } = write.spec as AgentSpec;
  if (volumes.length > 0 && (region === undefined || region === '')) {
    throw invalidField('spec.region', region, 'a region, since volumes are attached');
  }
  for (const [index, { name }] of volumes.entries()) {
    if (name === undefined || regionOfVolume(write, name) !== region) {
      throw invalidField(
        `spec.volumes[${index}].name`,
        name,
        `a volume of region ${region} in workspace ${write.workspace.name}${listed(write, region)}`,
      );
    }
  }
};

/** Undefined if the volume does not exist or is being deleted. */
function regionOfVolume({ world, workspace }: Write, name: string): unknown {
  const volume = findResource(world, `${workspace.name}/volumes`, name);
  return volume === undefined || isBeingDeleted(volume.deployments) ? undefined : volume.spec['region'];
}

function listed({ world, workspace }: Write, region: string | undefined): string {
  const names = listResources(world, `${workspace.name}/volumes`)
    .filter(({ spec }) => spec['region'] === region)
    .map(({ name }) => name);
  return names.length === 0 ? ', which has none' : ` (${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''})`;
}
