/** Reads a world file (YAML or JSON). Reports the first unknown key or invalid value, with what is allowed. */
import { readFile } from 'node:fs/promises';
import { parse, YAMLError } from 'yaml';
import { newAjv } from '../../spec/ajv.ts';
import { findingsOf, type Finding } from '../../spec/findings.ts';
import { operations, type OperationId } from '../../spec/operations.ts';
import { bodyFindings } from '../../spec/validators.ts';
import { worldFileSchema } from '../../fixtures/worlds/world-file-schema.ts';
import type { ResourceFile, ToolFile, WorldFile } from '../../fixtures/worlds/world-file.ts';
import { kinds, placeAt } from '../domains/resources/kinds.ts';
import type { Kind } from '../domains/resources/kind.ts';
import { WorldFileError } from './load.ts';

/** Throws a WorldFileError. loadWorld reports what needs the whole world, such as a duplicate name. */
export async function readWorldFile(path: string): Promise<WorldFile> {
  const text = await readFile(path, 'utf8').catch((error: Error) => refuse(`${path} cannot be read: ${error.message}`));
  return worldFile(parsed(path, text), path);
}

/** The same for parsed content; `path` is for messages. */
export function worldFile(value: unknown, path: string): WorldFile {
  const validate = newAjv({ allErrors: false, strictRequired: false }).compile<WorldFile>(worldFileSchema);
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    if (error?.keyword === 'additionalProperties') {
      const allowed = Object.keys((error.parentSchema?.['properties'] ?? {}) as object).join(', ');
      return refuse(
        `${path}: ${where(error.instancePath)} has the unknown key "${String(error.params['additionalProperty'])}"; allowed: ${allowed}.`,
      );
    }
    return refuse(`${path}: ${sentence(findingsOf(validate.errors ?? [])[0])}`);
  }
  for (const [index, resource] of value.resources.entries()) checkResource(resource, `${path}: resources[${index}]`);
  return value;
}

function parsed(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLError) return refuse(`${path} is neither YAML nor JSON: ${error.message}`);
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
  for (const tool of Array.isArray(tools) ? tools : []) checkInputSchema(tool, `${at}, ${collection} "${name}"`);
}

function checkInputSchema({ name, inputSchema = {} }: ToolFile, at: string): void {
  try {
    newAjv({ strict: false }).compile(inputSchema);
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

function sentence(finding: Finding | undefined): string {
  const { at, says } = finding ?? { at: '', says: 'the file has not the form of a world file' };
  return `${at === '' ? says.replace(/^the body/, 'the file') : where(at) + says.slice(at.length)}.`;
}

/** Formats the JSON pointer `/callers/0/kind` as `callers[0].kind`. */
function where(pointer: string): string {
  if (pointer === '') return 'the file';
  return pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

function refuse(reason: string): never {
  throw new WorldFileError(reason);
}
