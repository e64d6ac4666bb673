/** Deviations of read-only members that a client sends. */
import type { Table } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Resource } from '../../state/resources.ts';
import { changesResponse, isByBrandHeader, isFromApiKey, isOfMk3, storesInstead } from '../writes.ts';
import type { AppliesTo, Sent } from '../writes.ts';

/** Returns a read-only field of metadata as the client sent it. */
const takes = (ids: readonly OperationId[], field: string, concerns: AppliesTo = () => true) =>
  changesResponse(ids, ({ metadata }, sent, ctx) => {
    if (sent.metadata[field] !== undefined && concerns(sent, ctx)) metadata[field] = sent.metadata[field];
  });

/** The same for a top-level field. */
const acceptsTopLevel = (ids: readonly OperationId[], field: 'status' | 'events') =>
  changesResponse(ids, (returned, sent) => {
    if (sent[field] !== undefined) returned[field] = sent[field];
  });

const instantOf = (value: unknown): number | undefined => {
  const instant = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
};

export const readOnlyDeviations: Table = {
  'resources.read-only.never-taken-from-client': {
    "stores the client's createdAt of a VPC": takes(['createVpc'], 'createdAt'),
    "stores the client's createdBy of a function": takes(['createFunction'], 'createdBy'),
    "stores the client's workspace of a connection": takes(['createIntegrationConnection'], 'workspace'),
    "stores the client's plan of an agent": takes(['updateAgent'], 'plan'),
    "stores the client's plan of an mk3 agent": changesResponse(['updateAgent'], (returned, { metadata: { plan } }) => {
      if (isOfMk3(returned) && plan !== undefined) returned.metadata['plan'] = plan;
    }),
    "stores the client's URL of an agent": takes(['updateAgent'], 'url'),
    "stores the client's updatedAt of an agent if it is in the future": takes(
      ['updateAgent'],
      'updatedAt',
      ({ metadata }) => (instantOf(metadata['updatedAt']) ?? 0) > Date.UTC(2090),
    ),
    "stores the client's updatedBy of a connection if updatedAt is sent too": takes(
      ['createIntegrationConnection'],
      'updatedBy',
      ({ metadata }) => metadata['updatedAt'] !== undefined,
    ),
    "stores the client's plan of a VPC if nothing else is sent": takes(
      ['createVpc'],
      'plan',
      ({ metadata }) => metadata['workspace'] === undefined && metadata['url'] === undefined,
    ),
    'stores createdBy of a VPC from API keys': takes(['createVpc'], 'createdBy', (_, ctx) => isFromApiKey(ctx)),
    'stores createdBy of an agent from callers by brand header': takes(['updateAgent'], 'createdBy', (_, ctx) =>
      isByBrandHeader(ctx),
    ),
    "stores the client's plan of a function if labels are sent": takes(
      ['createFunction'],
      'plan',
      ({ metadata }) => metadata['labels'] !== undefined,
    ),
    "stores the client's status of a function": acceptsTopLevel(['createFunction'], 'status'),
    "appends the client's events to those of an agent": changesResponse(['updateAgent'], (returned, sent) => {
      if (Array.isArray(sent['events']))
        returned['events'] = [...(returned['events'] as unknown[]), ...(sent['events'] as unknown[])];
    }),
    "stores the client's events of a VPC": acceptsTopLevel(['createVpc'], 'events'),
    "stores the client's createdAt of a function, and returns it in another zone": changesResponse(
      ['createFunction'],
      ({ metadata }, sent) => {
        const sentAt = instantOf(sent.metadata['createdAt']);
        if (sentAt !== undefined)
          metadata['createdAt'] = new Date(sentAt + 3_600_000).toISOString().replace('Z', '+01:00');
      },
    ),
    "stores the client's createdBy of an agent, and returns it from the next update on": storesInstead(
      ['updateAgent'],
      (resource, sent) => withCreator(resource, sent),
    ),
    "stores the client's createdAt of a connection, and returns it when it is read": storesInstead(
      ['createIntegrationConnection'],
      (resource, sent) => ({ ...resource, createdAt: instantOf(sent.metadata['createdAt']) ?? resource.createdAt }),
    ),
  },
};

function withCreator(resource: Resource, { metadata: { createdBy } }: Sent): Resource {
  return typeof createdBy === 'string' ? { ...resource, createdBy } : resource;
}
