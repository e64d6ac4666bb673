/** Adds the content that a world file defines: the tools of a function, the files of a sandbox. */
import type { ResourceFile } from '../../spec/formats/world-file.ts';
import { writeTree } from '../domains/sandbox/filesystem.ts';
import type { Instant } from '../time/clock.ts';
import type { Place } from '../domains/resources/kind.ts';
import { putResource, type Resource } from '../state/resources.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import type { World } from './world.ts';

/** Throws a WorldFileError if the kind has no such content, and a problem for an invalid path. */
export function fillResource(
  world: World,
  { kind, key, workspace }: Place,
  resource: Resource,
  { tools, files }: Pick<ResourceFile, 'tools' | 'files'>,
  at: Instant,
): void {
  const { name, uuid } = resource;
  if (tools !== undefined) {
    requireKind('tools', 'functions', kind.collection, name);
    putResource(world, key, { ...resource, tools });
  }
  if (files !== undefined) {
    requireKind('files', 'sandboxes', kind.collection, name);
    writeTree(world.sandboxes.open(workspace.name, name, uuid ?? String(at)).filesystem, '/', files, at);
  }
}

function requireKind(member: string, allowed: string, collection: string, name: string): void {
  if (collection === allowed) return;
  throw new WorldFileError(`resources: ${collection} "${name}" has ${member}; allowed: in ${allowed}.`);
}
