/** Reads a world file (YAML or JSON). Reports the first unknown key or invalid value, with what is allowed. */
import { describeFileError } from '../../spec/describe-file-error.ts';
import type { Finding } from '../../spec/findings.ts';
import { InvalidYaml, parseYamlOrJson } from '../../spec/files/parse-yaml.ts';
import { readTextFile } from '../../spec/files/read-text.ts';
import { TooComplex } from '../../spec/files/too-complex.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { readFormat } from '../../spec/formats/read-format.ts';
import { mayHoldClientSecret, worldExtensionSchema, worldFileSchema } from '../../spec/formats/world-file.ts';
import { operations, type OperationId } from '../../spec/operations.ts';
import { bodyFindings } from '../../spec/validators.ts';
import type { ResourceFile, ToolFile, WorldExtension, WorldFile } from '../../spec/formats/world-file.ts';
import { isObject } from '../http/json-object.ts';
import { toolSchemaAjv } from '../domains/mcp/tool-schemas.ts';
import { kinds, placeAt } from '../domains/resources/kinds.ts';
import type { Kind } from '../domains/resources/kind.ts';
import { WorldFileError } from './load.ts';

/** Bytes. In YAML, parseYamlOrJson allows less. */
const MAX_WORLD_BYTES = 16 * 1024 * 1024;

/** Throws a WorldFileError. loadWorld reports what needs the whole world, such as a duplicate name. */
export async function readWorldFile(path: string): Promise<WorldFile | WorldExtension> {
  return worldFile(parsed(path, readText(path)), path);
}

function readText(path: string): string {
  try {
    return readTextFile(path, MAX_WORLD_BYTES, { mayBePipe: true });
  } catch (error) {
    return refuse(`${path} ${describeFileError(error)}`);
  }
}

/** Validates a parsed world file and returns it; `path` is for messages. */
export function worldFile(value: unknown, path: string): WorldFile | WorldExtension {
  const isExtension = isObject(value) && value['extends'] !== undefined;
  try {
    if (isExtension) readFormat(worldExtensionSchema, value, mayHoldClientSecret);
    else readFormat(worldFileSchema, value, mayHoldClientSecret);
  } catch (error) {
    if (error instanceof InvalidInput) return refuse(`${path}: ${error.message}`);
    throw error;
  }
  const file = value as WorldFile | WorldExtension; // Not the result of readFormat, in which keys are in the order of the schema.
  for (const key of ['resources', 'addResources'] as const)
    for (const [index, resource] of (file[key] ?? []).entries()) checkResource(resource, `${path}: ${key}[${index}]`);
  return file;
}

function parsed(path: string, text: string): unknown {
  try {
    return parseYamlOrJson(text);
  } catch (error) {
    if (error instanceof InvalidYaml) return refuse(`${path} is neither YAML nor JSON: ${error.message}`);
    if (error instanceof TooComplex) return refuse(`${path}: ${error.message}`);
    throw error;
  }
}

/** Validates a resource against the schema of its create operation. */
function checkResource({ name, displayName, labels, spec = {}, collection, tools }: ResourceFile, at: string): void {
  const kind = placeAt({ name: '', account: '', region: '' }, collection)?.kind;
  if (kind === undefined) {
    return refuse(`${at}.collection is "${collection}"; allowed: ${Object.values(kinds).map(pathOf).join(', ')}.`);
  }
  const metadata = { name, ...(displayName !== undefined && { displayName }), ...(labels && { labels }) };
  // Versions of volume templates do not have the common envelope.
  const body = kind.collection === 'versions' ? { name, ...spec } : { metadata, spec };
  const [finding] = bodyFindings(createIdOf(kind), body);
  if (finding !== undefined) refuse(`${at}, ${collection} "${name}": ${sentence(finding)}`);
  if (Array.isArray(tools)) checkTools(tools as readonly ToolFile[], `${at}, ${collection} "${name}"`);
}

function checkTools(tools: readonly ToolFile[], at: string): void {
  const names = tools.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) refuse(`${at}: tools names "${repeated}" twice; allowed: once.`);
  for (const tool of tools) checkInputSchema(tool, at);
}

function checkInputSchema({ name, inputSchema = {} }: ToolFile, at: string): void {
  try {
    toolSchemaAjv().compile(inputSchema);
  } catch (error) {
    refuse(`${at}, tool "${name}": inputSchema is not a JSON Schema: ${(error as Error).message}.`);
  }
}

/** As in the path of its operations: `sandboxes/{sandboxName}/previews`. */
function pathOf({ collection, parent }: Kind): string {
  return parent === undefined ? collection : `${pathOf(kinds[parent])}/{${kinds[parent].param}}/${collection}`;
}

function createIdOf(kind: Kind): OperationId {
  const path = `/${pathOf(kind)}`;
  const create = operations.find(
    (operation) => operation.surface === 'management' && operation.method === 'POST' && operation.path === path,
  );
  if (create === undefined) throw new Error(`The documents have no POST ${path}.`);
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

function refuse(reason: string): never {
  throw new WorldFileError(reason);
}
