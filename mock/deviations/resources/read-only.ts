/** Deviations of read-only members that a client sends. */
import type { OperationId } from '../../../spec/generated/types.ts';
import { byApiKey, inHeader } from '../auth/conditions.ts';
import { all, ofMk3, sent } from '../conditions.ts';
import { onSuccess, type Effect } from '../deviation.ts';
import { editAt, valueAt } from '../json-path.ts';
import type { Table } from '../table.ts';
import { storesInstead } from '../writes.ts';

/** Returns a read-only value as the client sent it. */
const takes = (operation: OperationId, path: string, edit = (value: unknown) => value): Effect => ({
  kind: 'take from client',
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    const value = edit(valueAt(ctx.state.body, path));
    if (value !== undefined && applies(ctx))
      await onSuccess([operation], (body) => editAt(body, path, () => value)).wrap(async () => {})(ctx);
  },
});

const instantOf = (value: unknown): number | undefined => {
  const instant = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
};
const inOtherZone = (value: unknown): string | undefined => {
  const instant = instantOf(value);
  return instant === undefined ? undefined : new Date(instant + 3_600_000).toISOString().replace('Z', '+01:00');
};

const isSent = (path: string) => sent(path, `with ${path}`, (value) => value !== undefined);
const isNotSent = (path: string) => sent(path, `without ${path}`, (value) => value === undefined);
const inFuture = sent('metadata.updatedAt', 'if it is in the future', (at) => (instantOf(at) ?? 0) > Date.UTC(2090));

export const readOnlyDeviations: Table = {
  'resources.read-only.never-taken-from-client': {
    "stores the client's createdAt of a VPC": takes('createVpc', 'metadata.createdAt'),
    "stores the client's createdBy of a function": takes('createFunction', 'metadata.createdBy'),
    "stores the client's workspace of a connection": takes('createIntegrationConnection', 'metadata.workspace'),
    "stores the client's plan of an agent": takes('updateAgent', 'metadata.plan'),
    "stores the client's plan of an mk3 agent": [ofMk3, takes('updateAgent', 'metadata.plan')],
    "stores the client's URL of an agent": takes('updateAgent', 'metadata.url'),
    "stores the client's updatedAt of an agent if it is in the future": [
      inFuture,
      takes('updateAgent', 'metadata.updatedAt'),
    ],
    "stores the client's updatedBy of a connection if updatedAt is sent too": [
      isSent('metadata.updatedAt'),
      takes('createIntegrationConnection', 'metadata.updatedBy'),
    ],
    "stores the client's plan of a VPC if nothing else is sent": [
      all(isNotSent('metadata.workspace'), isNotSent('metadata.url')),
      takes('createVpc', 'metadata.plan'),
    ],
    'stores createdBy of a VPC from API keys': [byApiKey, takes('createVpc', 'metadata.createdBy')],
    'stores createdBy of an agent from callers by brand header': [
      inHeader('brand'),
      takes('updateAgent', 'metadata.createdBy'),
    ],
    "stores the client's plan of a function if labels are sent": [
      isSent('metadata.labels'),
      takes('createFunction', 'metadata.plan'),
    ],
    "stores the client's status of a function": takes('createFunction', 'status'),
    "appends the client's events to those of an agent": onSuccess(
      ['updateAgent'],
      (body: { readonly events: readonly unknown[] }, { state: { body: request } }) => {
        const events = valueAt(request, 'events');
        return Array.isArray(events) ? { ...body, events: [...body.events, ...(events as unknown[])] } : body;
      },
    ),
    "stores the client's events of a VPC": takes('createVpc', 'events'),
    "stores the client's createdAt of a function, and returns it in another zone": takes(
      'createFunction',
      'metadata.createdAt',
      inOtherZone,
    ),
    "stores the client's createdBy of an agent, and returns it from the next update on": storesInstead(
      ['updateAgent'],
      (resource, { metadata: { createdBy } }) =>
        typeof createdBy === 'string' ? { ...resource, createdBy } : resource,
    ),
    "stores the client's createdAt of a connection, and returns it when it is read": storesInstead(
      ['createIntegrationConnection'],
      (resource, { metadata: { createdAt } }) => ({
        ...resource,
        createdAt: instantOf(createdAt) ?? resource.createdAt,
      }),
    ),
  },
};
