/** Writes of resources, and the resources in responses, as rules see them in anybody's traffic. */
import type { OperationId } from '../../../spec/operations.ts';
import { headerNames } from '../../../spec/brand.ts';
import { parseLenientInstant } from '../../expect/instant.ts';
import { fieldsOf, isFields } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { metadataIn } from '../../json/metadata-in.ts';
import type { Facts, Seen } from '../../judge/seen.ts';
import { metadataOf, returnsResource } from './returned-resource.ts';
import type { ReturnedResource } from './returned-resource.ts';

/** The documented operations that create a resource with metadata. */
export const creates = ['createVpc', 'createFunction', 'createIntegrationConnection'] as const satisfies OperationId[];
/** The documented operations that write one. */
export const resourceWrites = ['updateAgent', ...creates] as const satisfies OperationId[];
/** The documented operations that return one. */
export const returningResources = [...resourceWrites, 'deleteVolumeTemplateVersion'] as const satisfies OperationId[];

/** Whether the response may show another update that was sent at the same time. */
export const isConcurrentUpdate = ({ operation: { id }, exchange }: Seen): boolean =>
  id === 'updateAgent' && exchange.isConcurrent === true;

export const isSuccess = ({ status }: Seen): boolean => status >= 200 && status <= 299;

/** Whether the documented response of the operation is a resource, or contains one. */
export const hasDocumentedResource = ({ operation: { id } }: Seen): boolean =>
  returnsResource.has(id) || id === 'deleteVolumeTemplateVersion';

/**
 * The resource in a successful response. Undefined if there is none: an undocumented response only counts as one if it has
 * metadata.
 */
export function seenResource(seen: Seen): ReturnedResource | undefined {
  if (!isSuccess(seen)) return undefined;
  const { json, exchange } = seen;
  const resource = seen.operation.id === 'deleteVolumeTemplateVersion' ? fieldsOf(json)?.['template'] : json;
  if (!isFields(resource) || (!hasDocumentedResource(seen) && !isFields(resource['metadata']))) return undefined;
  return { exchange, resource };
}

/**
 * Whether the response is not about the content of a write, but about its path, size or type, a quota, or a deployment; or if it
 * comes from a gateway.
 */
export const isAboutSomethingElse = ({ status }: Seen): boolean =>
  status >= 300 && ![400, 401, 403, 422, 500].includes(status);

/** Clocks of one server, and the precision of its Date header. */
const MAX_AGE_MS = 2000;

/** Whether a create has returned the resource that it has created. A second one of a name may return the first (decision 015). */
export function isCreatedNow(seen: Seen): boolean {
  const createdAt = parseLenientInstant(metadataIn(seen.json)['createdAt']);
  const date = Date.parse(seen.responseHeader('date') ?? '');
  return createdAt !== undefined && createdAt >= date - seen.exchange.durationMs - MAX_AGE_MS;
}

/** The metadata of the body that was sent. Empty if there is none. */
export const sentMetadata = ({ sent }: Seen): Fields => metadataIn(sent);

/**
 * Equal for two exchanges that concern the same workspace, as far as it is known: a caller of the target file and the workspace
 * that the header names. Undefined for other callers, each of whom may have another workspace.
 */
export function workspaceKey(seen: Seen, { brand }: Facts): string | undefined {
  const { caller } = seen;
  if (caller === 'none' || caller === 'other') return undefined;
  return JSON.stringify([caller, seen.header(headerNames(brand).workspace) ?? null]);
}

/** Equal for two updates of the same agent. Undefined if it is not known which workspace it belongs to. */
export function agentKey(seen: Seen, facts: Facts, returned: ReturnedResource): string | undefined {
  const key = workspaceKey(seen, facts);
  const { workspace } = metadataOf(returned);
  if (key === undefined || typeof workspace !== 'string') return undefined;
  return JSON.stringify([workspace, seen.path['agentName']]);
}

/** Whether the second request was sent after the first response had arrived. False if the recording does not say. */
export const isAfter = (first: Seen, second: Seen): boolean =>
  first.sentAt !== undefined &&
  second.sentAt !== undefined &&
  first.sentAt + first.exchange.durationMs <= second.sentAt;

/** A client that is not in the recording may change a list at any time, but hardly within these milliseconds. */
const FRESH_MS = 10_000;

/** Whether what the first response lists is still so when the second request is sent. */
export const isSoonAfter = (first: Seen, second: Seen): boolean =>
  isAfter(first, second) && second.sentAt! - first.sentAt! <= FRESH_MS;

const MAX_REMEMBERED = 500;

/** Adds to what a judgement remembers, and forgets the oldest. */
export function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_REMEMBERED) return;
    known.delete(oldest);
  }
}
