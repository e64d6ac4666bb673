/** URLs of a world and its workloads (metadata.url). */
import type { Workspace } from './accounts.ts';
import type { Resource } from './resources.ts';
import type { WorldState } from './world-state.ts';

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

const SANDBOX_HOST = /^sbx-(?<names>[a-z0-9-]+)\.[a-z0-9-]+\.localhost(?::\d+)?$/i;

/** The names of sandbox and workspace, joined by a hyphen, in a Host header; undefined if it is not that of a sandbox. */
export function sandboxNamesIn(host = ''): string | undefined {
  return SANDBOX_HOST.exec(host)?.groups?.['names']?.toLowerCase();
}
