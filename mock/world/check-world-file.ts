/** Validates the content of a world file. Reports the first unknown key or invalid value, with what is allowed. */
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { readFormat } from '../../spec/formats/read-format.ts';
import { mayHoldClientSecret, worldExtensionSchema, worldFileSchema } from '../../spec/formats/world-file.ts';
import type { ResourceFile, WorldExtension, WorldFile } from '../../spec/formats/world-file.ts';
import { isObject } from '../../spec/json-object.ts';
import { kinds, placeAt } from '../domains/resources/kinds.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import { pathOf, resourceFault, toolsFault } from './resource-fault.ts';

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

/** Validates a resource against the schema of its create operation. `at`: for messages. Throws a WorldFileError. */
export function checkResource(
  { name, displayName, labels, spec = {}, collection, tools }: ResourceFile,
  at: string,
): void {
  const kind = placeAt({ name: '', account: '', region: '' }, collection)?.kind;
  if (kind === undefined) {
    return refuse(`${at}.collection is "${collection}"; allowed: ${Object.values(kinds).map(pathOf).join(', ')}.`);
  }
  const metadata = { name, ...(displayName !== undefined && { displayName }), ...(labels && { labels }) };
  const fault = resourceFault(kind, { metadata, spec }) ?? (Array.isArray(tools) ? toolsFault(tools) : undefined);
  if (fault !== undefined) refuse(`${at}, ${collection} "${name}": ${fault}`);
}

function refuse(reason: string): never {
  throw new WorldFileError(reason);
}
