/** The worlds of one port: the first, and others below `/_mock/w/{id}`. */
import { closeWorld, serveWorld, type WorldConfig, type ServedWorld } from '../../pipeline/served-world.ts';
import type { Addresses } from '../../state/addresses.ts';
import { closeJournal } from '../../pipeline/journal.ts';

export interface Worlds {
  readonly first: ServedWorld;
  readonly others: Map<string, ServedWorld>;
  /** The address of the first world: `http://127.0.0.1:4010`. */
  readonly root: string;
  /** The config of the first world, or of another one, with the current time as the start of the clock. */
  readonly configFor: (world?: WorldConfig['world']) => WorldConfig;
}

/** Options of a new world that may differ from the first. */
export type WorldOverrides = Partial<Omit<WorldConfig, 'addresses' | 'mount' | 'sandboxUrls'>>;

/** Sandboxes of other worlds have path addresses, because a host name cannot contain the world's id. */
export function addWorld(
  { first, root, configFor, others }: Worlds,
  id: string,
  overrides: WorldOverrides,
): ServedWorld {
  const path = `/_mock/w/${id}`;
  const served = serveWorld({
    ...configFor(first.config.world),
    ...overrides,
    sandboxUrls: 'path',
    addresses: addressesAt(root + path),
    mount: { ...first.config.mount, path },
  });
  others.set(id, served);
  return served;
}

/** False if there is no world of that id. */
export async function removeWorld({ others }: Worlds, id: string): Promise<boolean> {
  const served = others.get(id);
  if (served === undefined) return false;
  others.delete(id);
  await close(served);
  return true;
}

export async function closeWorlds({ first, others }: Worlds): Promise<void> {
  await Promise.all([first, ...others.values()].map(close));
}

function close({ journal, world }: ServedWorld): Promise<void> {
  closeJournal(journal);
  return closeWorld(world);
}

export function addressesAt(host: string): Addresses {
  return { management: `${host}/v0`, host, inference: host };
}
