/** An OpenAPI document with the mock's address as the server and its brand in header names. */
import { documentText } from '../../../spec/documents.ts';
import { type OpenApiDocument, type Surface } from '../../../spec/openapi-document.ts';
import type { ServedWorld } from '../../pipeline/served-world.ts';
import type { World } from '../../world/world.ts';

/** Servers are paths without a host, so they work with any host name (RFC 3986 4.2). */
export function servedDocument({ world, config }: Pick<ServedWorld, 'world' | 'config'>, surface: Surface): object {
  // Viewers know only OpenAPI's own dialect, a superset of this one, and warn about others.
  const { jsonSchemaDialect: _, ...document } = JSON.parse(documentText(surface, config.brand)) as OpenApiDocument &
    Record<string, unknown>;
  const root = world.mount.path;
  for (const { flows = {} } of Object.values(document.components.securitySchemes)) {
    for (const flow of Object.values(flows)) Object.assign(flow, belowRoot(flow, root));
  }
  return { ...document, servers: [{ description: 'This mock', ...serverOf[surface](root, world) }] };
}

function belowRoot(flow: object, root: string): object {
  const urls = Object.entries(flow).filter(([name]) => name.endsWith('Url'));
  return Object.fromEntries(urls.map(([name, url]) => [name, `${root}${String(url)}`]));
}

const hostServer = (root: string) => ({ url: root || '/' });

/** `root`: the path prefix of the world; empty for the first of a port. */
const serverOf: Readonly<Record<Surface, (root: string, world: World) => object>> = {
  management: (root) => ({ url: `${root}/v0` }),
  host: hostServer,
  inference: hostServer,
  sandbox: (root, { target: { workspace, resources } }) => ({
    url: `${root}/sandbox/{workspace}/{sandbox}`,
    variables: { workspace: { default: workspace }, sandbox: { default: resources.sandbox ?? '' } },
  }),
};
