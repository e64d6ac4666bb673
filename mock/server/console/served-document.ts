/** An OpenAPI document with the mock's addresses as servers and its brand in header names. */
import { documentText } from '../../../spec/documents.ts';
import { type OpenApiDocument, type Surface } from '../../../spec/openapi-document.ts';
import type { ServedWorld } from '../../pipeline/served-world.ts';
import type { World } from '../../world/world.ts';

/** Examples and the first server of the published documents name it. */
const PUBLISHED_ADDRESS = 'http://127.0.0.1:4010';

/**
 * The first server has an address, for tools that keep the document; the second is a path without a host, which works with
 * any host name (RFC 3986 4.2). `address`: of the host surface, as the client knows it.
 */
export function servedDocument(
  { world, config }: Pick<ServedWorld, 'world' | 'config'>,
  surface: Surface,
  address: string,
): object {
  // Viewers know only OpenAPI's own dialect, a superset of this one, and warn about others.
  const text = documentText(surface, config.brand).replaceAll(PUBLISHED_ADDRESS, address);
  const { jsonSchemaDialect: _, ...document } = JSON.parse(text) as OpenApiDocument & Record<string, unknown>;
  const root = world.mount.path;
  for (const { flows = {} } of Object.values(document.components.securitySchemes)) {
    for (const flow of Object.values(flows)) Object.assign(flow, belowRoot(flow, root));
  }
  const { path, ...more } = serverOf[surface](world);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => more.variables?.[name]?.default ?? '');
  const servers = [
    { url: address + filled, description: 'This mock' },
    { url: root + path || '/', description: 'This mock, relative to the address of the document', ...more },
  ];
  return { ...document, servers };
}

function belowRoot(flow: object, root: string): object {
  const urls = Object.entries(flow).filter(([name]) => name.endsWith('Url'));
  return Object.fromEntries(urls.map(([name, url]) => [name, `${root}${String(url)}`]));
}

interface ServerPath {
  /** Below the address of the world. */
  readonly path: string;
  readonly variables?: Readonly<Record<string, { readonly default: string }>>;
}

const serverOf: Readonly<Record<Surface, (world: World) => ServerPath>> = {
  management: () => ({ path: '/v0' }),
  host: () => ({ path: '' }),
  inference: () => ({ path: '' }),
  sandbox: ({ target: { workspace, resources } }) => ({
    path: '/sandbox/{workspace}/{sandbox}',
    variables: { workspace: { default: workspace }, sandbox: { default: resources.sandbox ?? '' } },
  }),
};
