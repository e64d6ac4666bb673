/** Deviations of read-only members that a client sends. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Resource } from '../../state/resources.ts';
import type { Deviations } from '../deviation.ts';
import { changesResponse, isByBrandHeader, isFromApiKey, isOfMk3, storesInstead } from '../writes.ts';
import type { AppliesTo, Sent } from '../writes.ts';

/** Returns a read-only field of metadata as the client sent it. */
const takes = (what: string, ids: readonly OperationId[], field: string, concerns: AppliesTo = () => true) =>
  changesResponse(what, ids, ({ metadata }, sent, ctx) => {
    if (sent.metadata[field] !== undefined && concerns(sent, ctx)) metadata[field] = sent.metadata[field];
  });

/** The same for a top-level field. */
const acceptsTopLevel = (what: string, ids: readonly OperationId[], field: 'status' | 'events') =>
  changesResponse(what, ids, (returned, sent) => {
    if (sent[field] !== undefined) returned[field] = sent[field];
  });

const instantOf = (value: unknown): number | undefined => {
  const instant = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
};

export const readOnlyDeviations: Deviations = deviationsOf({
  'resources.read-only.never-taken-from-client': {
    '': takes("Stores the client's createdAt of a VPC", ['createVpc'], 'createdAt'),
    'created-by': takes("Stores the client's createdBy of a function", ['createFunction'], 'createdBy'),
    workspace: takes("Stores the client's workspace of a connection", ['createIntegrationConnection'], 'workspace'),
    plan: takes("Stores the client's plan of an agent", ['updateAgent'], 'plan'),
    mk3: changesResponse(
      "Stores the client's plan of an mk3 agent",
      ['updateAgent'],
      (returned, { metadata: { plan } }) => {
        if (isOfMk3(returned) && plan !== undefined) returned.metadata['plan'] = plan;
      },
    ),
    url: takes("Stores the client's URL of an agent", ['updateAgent'], 'url'),
    future: takes(
      "Stores the client's updatedAt of an agent if it is in the future",
      ['updateAgent'],
      'updatedAt',
      ({ metadata }) => (instantOf(metadata['updatedAt']) ?? 0) > Date.UTC(2090),
    ),
    together: takes(
      "Stores the client's updatedBy of a connection if updatedAt is sent too",
      ['createIntegrationConnection'],
      'updatedBy',
      ({ metadata }) => metadata['updatedAt'] !== undefined,
    ),
    alone: takes(
      "Stores the client's plan of a VPC if nothing else is sent",
      ['createVpc'],
      'plan',
      ({ metadata }) => metadata['workspace'] === undefined && metadata['url'] === undefined,
    ),
    'api-key': takes('Stores createdBy of a VPC from API keys', ['createVpc'], 'createdBy', (_, ctx) =>
      isFromApiKey(ctx),
    ),
    'brand-header': takes(
      'Stores createdBy of an agent from callers by brand header',
      ['updateAgent'],
      'createdBy',
      (_, ctx) => isByBrandHeader(ctx),
    ),
    labelled: takes(
      "Stores the client's plan of a function if labels are sent",
      ['createFunction'],
      'plan',
      ({ metadata }) => metadata['labels'] !== undefined,
    ),
    status: acceptsTopLevel("Stores the client's status of a function", ['createFunction'], 'status'),
    events: changesResponse("Appends the client's events to those of an agent", ['updateAgent'], (returned, sent) => {
      if (Array.isArray(sent['events']))
        returned['events'] = [...(returned['events'] as unknown[]), ...(sent['events'] as unknown[])];
    }),
    'vpc-events': acceptsTopLevel("Stores the client's events of a VPC", ['createVpc'], 'events'),
    zone: changesResponse(
      "Stores the client's createdAt of a function, and returns it in another zone",
      ['createFunction'],
      ({ metadata }, sent) => {
        const sentAt = instantOf(sent.metadata['createdAt']);
        if (sentAt !== undefined)
          metadata['createdAt'] = new Date(sentAt + 3_600_000).toISOString().replace('Z', '+01:00');
      },
    ),
    kept: storesInstead(
      "Stores the client's createdBy of an agent, and returns it from the next update on",
      ['updateAgent'],
      (resource, sent) => withCreator(resource, sent),
    ),
    'kept-creation': storesInstead(
      "Stores the client's createdAt of a connection, and returns it when it is read",
      ['createIntegrationConnection'],
      (resource, sent) => ({ ...resource, createdAt: instantOf(sent.metadata['createdAt']) ?? resource.createdAt }),
    ),
  },
});

function withCreator(resource: Resource, { metadata: { createdBy } }: Sent): Resource {
  return typeof createdBy === 'string' ? { ...resource, createdBy } : resource;
}
