/** Container images: built at deployment if the spec has none, and added to the workspace's registry. */
import type { Workspace } from '../../../state/accounts.ts';
import type { Instant } from '../../../time/clock.ts';
import type { Deployment } from '../../../state/deployments.ts';
import { findResource, putResource, type Resource } from '../../../state/resources.ts';
import { noteStored, requireRoomForResource } from '../room.ts';
import { type JsonObject } from '../../../../spec/json-object.ts';
import type { WorldState } from '../../../state/world-state.ts';
import { objectMember, type Rule, type Write } from './rule.ts';

const REGISTRY = 'registry.localhost';
/** `createdBy` of images. */
const BUILDER = 'image-builder';
// Shared objects, so that images need little memory.
const NOTHING = {};
const NEVER: readonly Deployment[] = [];
/** Without its reference. */
const IMAGE_BYTES = 200;

/** The image of a spec; undefined if it has none. */
export function imageOf(spec: JsonObject): string | undefined {
  const { runtime } = spec;
  const image = typeof runtime === 'object' && runtime !== null && 'image' in runtime ? runtime.image : undefined;
  return typeof image === 'string' && image !== '' ? image : undefined;
}

export const buildImage: Rule = ({ world, workspace, collection, name, at, sent, spec }) => {
  const runtime = objectMember(spec, 'runtime');
  const image = imageOf(spec) ?? `${REGISTRY}/${workspace.name}/${collection}/${name}:${tagOf(sent)}`;
  spec['runtime'] = { ...runtime, image };
  if (isInRegistry(workspace, image)) register(world, workspace, image, at);
};

/** Adds the image of a spec to the workspace's registry again, if it was removed. */
export function restoreImage(write: Pick<Write, 'world' | 'workspace' | 'at' | 'spec'>): void {
  const image = imageOf(write.spec);
  if (image !== undefined && wasRemoved(write, image)) register(write.world, write.workspace, image, write.at);
}

/** Whether an image was removed from the workspace's registry. Images of other registries are not known. */
export function wasRemoved({ world, workspace }: Pick<Write, 'world' | 'workspace'>, image: string): boolean {
  return isInRegistry(workspace, image) && findResource(world, `${workspace.name}/images`, nameOf(image)) === undefined;
}

function isInRegistry({ name }: Workspace, image: string): boolean {
  return image.startsWith(`${REGISTRY}/${name}/`);
}

function nameOf(image: string): string {
  return `img-${shortHash(image)}`;
}

/** Derived from the sent spec: repeating an update yields the same image (agents.update.idempotent). */
function tagOf({ repository, runtime }: JsonObject): string {
  return shortHash(JSON.stringify([repository, runtime]));
}

function register(world: WorldState, workspace: Workspace, reference: string, at: Instant): void {
  const key = `${workspace.name}/images`;
  const name = nameOf(reference);
  if (findResource(world, key, name) !== undefined) return;
  requireRoomForResource(world);
  const built: Resource = {
    name,
    metadata: NOTHING,
    spec: { reference },
    createdAt: at,
    createdBy: BUILDER,
    updatedAt: at,
    updatedBy: BUILDER,
    deployments: NEVER,
  };
  putResource(world, key, built);
  noteStored(world, key, built, IMAGE_BYTES + reference.length);
}

/** Eight hexadecimal digits (FNV-1a). */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
