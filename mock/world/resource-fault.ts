/** Finds what is wrong with resources that were not sent to the API, by the schemas of the operations that create them. */
import type { ToolFile } from '../../spec/formats/world-file.ts';
import { operations, type OperationId } from '../../spec/operations.ts';
import { bodyFindings, type Finding } from '../../spec/validators.ts';
import { toolSchemaAjv } from '../domains/mcp/tool-schemas.ts';
import type { Kind, ResourceInput } from '../domains/resources/kind.ts';
import { kinds } from '../domains/resources/kinds.ts';

/** A sentence that names the field, its value and what is allowed; undefined if the resource is valid. */
export function resourceFault(kind: Kind, { metadata, spec }: ResourceInput): string | undefined {
  // Versions of volume templates do not have the common envelope.
  const body = kind.collection === 'versions' ? { ...spec, name: metadata.name } : { metadata, spec };
  const [finding] = bodyFindings(createIdOf(kind), body);
  return finding && sentence(finding);
}

/** The same for the tools of a function. */
export function toolsFault(tools: readonly ToolFile[]): string | undefined {
  const names = new Set<string>();
  for (const { name, inputSchema = {} } of tools) {
    if (names.has(name)) return `tools names "${name}" twice; allowed: once.`;
    names.add(name);
    const fault = schemaFault(inputSchema);
    if (fault !== undefined) return `tool "${name}": inputSchema is not a JSON Schema: ${fault}.`;
  }
  return undefined;
}

function schemaFault(schema: object): string | undefined {
  try {
    toolSchemaAjv().compile(schema);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** As in the path of its operations: `sandboxes/{sandboxName}/previews`. */
export function pathOf({ collection, parent }: Kind): string {
  return parent === undefined ? collection : `${pathOf(kinds[parent])}/{${kinds[parent].param}}/${collection}`;
}

const createIds = new Map<Kind, OperationId>();

function createIdOf(kind: Kind): OperationId {
  const known = createIds.get(kind);
  if (known !== undefined) return known;
  const path = `/${pathOf(kind)}`;
  const create = operations.find(
    (operation) => operation.surface === 'management' && operation.method === 'POST' && operation.path === path,
  );
  if (create === undefined) throw new Error(`The documents have no POST ${path}.`);
  createIds.set(kind, create.id);
  return create.id;
}

/** Formats the JSON pointer `/spec/triggers/0/id` of a finding as `spec.triggers[0].id`. */
function sentence({ at, says }: Finding): string {
  const place = at
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return `${at === '' ? says.replace(/^the body/, 'the file') : place + says.slice(at.length)}.`;
}
