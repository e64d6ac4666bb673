/** URLs of a world and its workloads (metadata.url). */
import type { Workspace } from './accounts.ts';
import type { Resource } from './resources.ts';
import type { WorldState } from './world-state.ts';

/** The path prefix of a world; empty for the first world of a port. */
export function pathOfWorld({ addresses }: WorldState): string {
  return new URL(addresses.host).pathname.replace(/\/$/, '');
}

export function inferenceUrl(collection: 'agents' | 'functions' | 'models') {
  return ({ addresses }: WorldState, workspace: Workspace, { name }: Resource): string =>
    `${addresses.inference}/${workspace.name}/${collection}/${name}`;
}

/** Uses a host name by default: every name below .localhost is a loopback address. */
export function sandboxUrl(
  { addresses, sandboxUrls }: WorldState,
  workspace: Workspace,
  { name, spec }: Resource,
): string {
  if (sandboxUrls === 'path') return `${addresses.host}/sandbox/${workspace.name}/${name}`;
  const region = typeof spec['region'] === 'string' ? spec['region'] : workspace.region;
  const [, protocol = 'http:', port = ''] = /^(https?:).*?(:\d+)?$/.exec(addresses.host) ?? [];
  return `${protocol}//sbx-${name}-${workspace.name}.${region}.localhost${port}`;
}
