/** Leaves out of a world file what the mock would refuse, because a deployment may have other limits and forms than it. */
import { addResource, addWorkspaces, newWorld } from '../../mock/world/load.ts';
import { checkResource } from '../../mock/world/check-world-file.ts';
import { WorldFileError } from '../../mock/state/world-file-error.ts';
import { createClock } from '../../mock/time/clock.ts';
import { DEFAULT_BRAND } from '../../spec/brand.ts';
import type { ResourceFile, WorldFile } from '../../spec/formats/world-file.ts';
import { isFields } from '../../suites/json/fields.ts';

const NOWHERE = 'http://127.0.0.1:1';
const addresses = { management: `${NOWHERE}/v0`, host: NOWHERE, inference: NOWHERE };
/** Of a resource that are tried without another field. */
const MAX_FIELDS = 20;

/** `note`: called with each thing that is left out. `now`: the start of the world, in milliseconds since 1970. */
export function fitResources(file: WorldFile, now: number, note: (what: string) => void): ResourceFile[] {
  const world = newWorld(file, { seed: 1, clock: createClock(now, 'frozen'), addresses, brand: DEFAULT_BRAND });
  addWorkspaces(file, world);

  function faultOf(resource: ResourceFile): string | undefined {
    try {
      checkResource(resource, 'resource');
      addResource(world, resource, 'resource');
      return undefined;
    } catch (error) {
      if (error instanceof WorldFileError) return error.message;
      throw error;
    }
  }

  function fitted(resource: ResourceFile): ResourceFile[] {
    const kind = resource.collection.replaceAll(/(^|\/)([^/]+)\/[^/]+(?=\/[^/]+$)/g, '$1$2/*');
    let tried = resource;
    for (let count = 0; count <= MAX_FIELDS; count += 1) {
      const fault = faultOf(tried);
      if (fault === undefined) return [tried];
      if (/ exists already; /.test(fault)) return []; // Such as an image that the mock builds itself.
      const path = /\bspec((?:\.[\w$-]+|\[\d+\])+)/.exec(fault)?.[1];
      const spec = path === undefined ? undefined : without(tried.spec, path);
      if (spec === undefined) break;
      note(`spec${path!.replaceAll(/\d+/g, '')} of ${kind}, whose value the mock does not accept`);
      tried = { ...tried, spec };
    }
    const { spec: _, displayName: __, labels: ___, ...bare } = tried;
    const isBareAccepted = faultOf(bare) === undefined;
    note(`${isBareAccepted ? 'specs and metadata of ' : ''}${kind} that the mock does not accept`);
    return isBareAccepted ? [bare] : [];
  }

  return file.resources.flatMap(fitted);
}

/** A copy without what is at a path such as `.triggers[0].id`; undefined if there is nothing. */
function without(spec: ResourceFile['spec'], path: string): Record<string, unknown> | undefined {
  const members = [...path.matchAll(/[^.[\]]+/g)].map(([member]) => member);
  const copy = structuredClone(spec ?? {}) as Record<string, unknown>;
  const parent = members.slice(0, -1).reduce<unknown>((value, member) => childOf(value, member), copy);
  const last = members.at(-1)!;
  if (childOf(parent, last) === undefined) return undefined;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as Record<string, unknown>)[last];
  return copy;
}

function childOf(value: unknown, member: string): unknown {
  if (Array.isArray(value)) return value[Number(member)] as unknown;
  return isFields(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}
