/** Volume templates and their versions, which do not have the common envelope. */
import type { VolumeTemplate, VolumeTemplateVersion } from '../../../spec/generated/types.ts';
import { invalidField } from '../../http/problems.ts';
import { timestamp } from '../../time/clock.ts';
import type { Place, ResourceInput } from './kind.ts';
import { listResources, type Resource } from '../../state/resources.ts';
import { type JsonObject } from '../../../spec/json-object.ts';
import { envelope } from './envelope.ts';
import type { Rule } from './rules/rule.ts';
import type { WorldState } from '../../state/world-state.ts';

export function templateBody(world: WorldState, place: Place, resource: Resource): VolumeTemplate {
  const versions = versionsOf(world, place, resource.name);
  const latest = versions.at(-1);
  const state = {
    versionCount: versions.length,
    ...(latest && { latestVersion: latest.name, lastVersionUploadedAt: timestamp(latest.createdAt) }),
  };
  const versionBodies = versions.map((version) => versionRecord(place, resource.name, version));
  return { ...envelope(world, place, resource), state, versions: versionBodies };
}

/** In order of upload. */
function versionsOf(world: WorldState, { key }: Place, template: string): Resource[] {
  return listResources(world, `${key}/${template}/versions`);
}

export function versionBody(_world: WorldState, place: Place, version: Resource): VolumeTemplateVersion {
  return versionRecord(place, place.collection.split('/')[1] ?? '', version);
}

function versionRecord({ workspace }: Place, templateName: string, { name, spec }: Resource): VolumeTemplateVersion {
  return { name, templateName, workspace: workspace.name, ...spec };
}

export function readVersion({ name, templateName, workspace, versionId, ...spec }: JsonObject): ResourceInput {
  if (typeof name !== 'string') throw invalidField('name', name, 'the name of the version');
  return { metadata: { name }, spec };
}

export const completeVersion: Rule = ({ world, workspace, spec, before }) => {
  spec['versionId'] = before?.spec['versionId'] ?? world.random.uuid();
  spec['region'] ??= workspace.region;
  spec['bucket'] ??= `templates-${workspace.name}`;
  spec['contentSize'] ??= 0;
};
