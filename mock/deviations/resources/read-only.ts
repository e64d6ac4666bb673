/** Faults in what only the server may say of a resource. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Resource } from '../../state/resources.ts';
import type { Deviations } from '../deviation.ts';
import { answers, isByBrandHeader, isFromApiKey, isOfMk3, keeps } from '../writes.ts';
import type { Concerns, Sent } from '../writes.ts';

/** Shows a read-only field of metadata as the client sent it. */
const takes = (what: string, ids: readonly OperationId[], field: string, concerns: Concerns = () => true) =>
  answers(what, ids, ({ metadata }, sent, ctx) => {
    if (sent.metadata[field] !== undefined && concerns(sent, ctx)) metadata[field] = sent.metadata[field];
  });

/** The same for what stands beside metadata. */
const takesBeside = (what: string, ids: readonly OperationId[], field: 'status' | 'events') =>
  answers(what, ids, (shown, sent) => {
    if (sent[field] !== undefined) shown[field] = sent[field];
  });

const instantOf = (value: unknown): number | undefined => {
  const instant = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
};

export const readOnlyDeviations: Deviations = deviationsOf({
  'resources.read-only.never-taken-from-client': {
    '': takes('takes createdAt of a VPC from the client', ['createVpc'], 'createdAt'),
    'created-by': takes('takes createdBy of a function from the client', ['createFunction'], 'createdBy'),
    workspace: takes(
      'takes the workspace of a connection from the client',
      ['createIntegrationConnection'],
      'workspace',
    ),
    plan: takes('takes the plan of an agent from the client', ['updateAgent'], 'plan'),
    mk3: answers('takes the plan of an mk3 agent from the client', ['updateAgent'], (shown, { metadata: { plan } }) => {
      if (isOfMk3(shown) && plan !== undefined) shown.metadata['plan'] = plan;
    }),
    url: takes('takes the URL of an agent from the client', ['updateAgent'], 'url'),
    future: takes(
      'takes updatedAt of an agent from the client where it lies in the future',
      ['updateAgent'],
      'updatedAt',
      ({ metadata }) => (instantOf(metadata['updatedAt']) ?? 0) > Date.UTC(2090),
    ),
    together: takes(
      'takes updatedBy of a connection from the client where updatedAt is there too',
      ['createIntegrationConnection'],
      'updatedBy',
      ({ metadata }) => metadata['updatedAt'] !== undefined,
    ),
    alone: takes(
      'takes the plan of a VPC from the client where nothing else is there',
      ['createVpc'],
      'plan',
      ({ metadata }) => metadata['workspace'] === undefined && metadata['url'] === undefined,
    ),
    'api-key': takes('takes createdBy of a VPC from a client with an API key', ['createVpc'], 'createdBy', (_, ctx) =>
      isFromApiKey(ctx),
    ),
    'brand-header': takes(
      'takes createdBy of an agent from a client whose credential is in the brand’s header',
      ['updateAgent'],
      'createdBy',
      (_, ctx) => isByBrandHeader(ctx),
    ),
    labelled: takes(
      'takes the plan of a function from the client where labels are there',
      ['createFunction'],
      'plan',
      ({ metadata }) => metadata['labels'] !== undefined,
    ),
    status: takesBeside('takes the status of a function from the client', ['createFunction'], 'status'),
    events: answers('puts the client’s events behind those of an agent', ['updateAgent'], (shown, sent) => {
      if (Array.isArray(sent['events']))
        shown['events'] = [...(shown['events'] as unknown[]), ...(sent['events'] as unknown[])];
    }),
    'vpc-events': takesBeside('takes the events of a VPC from the client', ['createVpc'], 'events'),
    zone: answers(
      'takes createdAt of a function from the client, and tells it in another zone',
      ['createFunction'],
      ({ metadata }, sent) => {
        const sentAt = instantOf(sent.metadata['createdAt']);
        if (sentAt !== undefined)
          metadata['createdAt'] = new Date(sentAt + 3_600_000).toISOString().replace('Z', '+01:00');
      },
    ),
    kept: keeps(
      'keeps createdBy of an agent from the client, and shows it from the next update on',
      ['updateAgent'],
      (resource, sent) => withCreator(resource, sent),
    ),
    'kept-creation': keeps(
      'keeps createdAt of a connection from the client, and shows it when it is read',
      ['createIntegrationConnection'],
      (resource, sent) => ({ ...resource, createdAt: instantOf(sent.metadata['createdAt']) ?? resource.createdAt }),
    ),
  },
});

function withCreator(resource: Resource, { metadata: { createdBy } }: Sent): Resource {
  return typeof createdBy === 'string' ? { ...resource, createdBy } : resource;
}
