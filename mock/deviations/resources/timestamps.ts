/** Deviations of when and by whom a resource was created and updated. */
import type { JsonObject } from '../../../spec/json-object.ts';
import { byApiKey } from '../auth/conditions.ts';
import { always, ofDisabledAgent, ofMk3, returned } from '../conditions.ts';
import { onSuccess, returns, stateful, type Effect } from '../deviation.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import { across, type Table } from '../table.ts';

/** RFC 3339, so many milliseconds later. */
const later = (timestamp: unknown, milliseconds: number): string =>
  new Date(Date.parse(String(timestamp)) + milliseconds).toISOString();

/** Replaces members of metadata. */
const metadata = (operation: OperationId, edit: (metadata: JsonObject) => object): Effect =>
  returns(operation, 'metadata', (members: JsonObject) => ({ ...members, ...edit(members) }));
const agent = (edit: (metadata: JsonObject) => object): Effect => metadata('updateAgent', edit);

const unlabelled = returned('metadata.labels', 'of an agent without labels', (labels) => labels === undefined);
const wasDeployed = returned('events', 'of an agent that was deployed', (events) =>
  (events as JsonObject[]).some(({ status }) => status === 'DEPLOYED'),
);
/** Applies the effect to every third request. */
const everyThird = (edit: Effect): Effect => ({
  kind: edit.kind,
  wrap: (app, applies) => {
    let count = 0;
    return edit.wrap(app, (ctx) => applies(ctx) && (count += 1) % 3 === 0);
  },
});

export const timestampsDeviations: Table = {
  'resources.timestamps.ordered': {
    'dates the update of a VPC a second before its creation': metadata('createVpc', ({ createdAt }) => ({
      updatedAt: later(createdAt, -1000),
    })),
    'dates the update of a connection a millisecond before its creation': metadata(
      'createIntegrationConnection',
      ({ createdAt }) => ({ updatedAt: later(createdAt, -1) }),
    ),
    'omits the update of a function': metadata('createFunction', () => ({ updatedAt: '0001-01-01T00:00:00Z' })),
    'returns updatedAt of an agent in words': agent(() => ({ updatedAt: 'just now' })),
    'returns an empty createdAt of a connection': metadata('createIntegrationConnection', () => ({ createdAt: '' })),
    'returns updates by API keys in another zone labelled UTC': [
      byApiKey,
      agent(({ updatedAt }) => ({ updatedAt: later(updatedAt, -5 * 3_600_000) })),
    ],
  },

  'resources.timestamps.update-moves-updated-at': {
    'returns the creation as the time of every third update': everyThird(
      agent(({ createdAt }) => ({ updatedAt: createdAt })),
    ),
  },

  'resources.timestamps.creation-kept': {
    ...across([always, ofDisabledAgent, ofMk3], {
      'resets createdAt at each update': agent(({ updatedAt }) => ({ createdAt: updatedAt })),
    }),
    'resets createdBy of an agent at each update': agent(({ updatedBy }) => ({ createdBy: updatedBy })),
    'dates the creation of an agent anew if its generation changes': stateful(() => {
      const generations = new Map<unknown, unknown>();
      const dates = new Map<unknown, unknown>();
      return onSuccess(['updateAgent'], (body: JsonObject) => {
        const { metadata: members, spec } = body as { metadata: JsonObject; spec: { runtime?: JsonObject } };
        const [name, generation] = [members['name'], spec.runtime?.['generation'] ?? 'mk2'];
        if ((generations.get(name) ?? generation) !== generation) dates.set(name, members['updatedAt']);
        generations.set(name, generation);
        return { ...body, metadata: { ...members, createdAt: dates.get(name) ?? members['createdAt'] } };
      });
    }),
    'removes createdBy of an agent if its labels are removed': [unlabelled, agent(() => ({ createdBy: '' }))],
    'returns createdAt of an agent two seconds later, in whole seconds, after its deployment': [
      wasDeployed,
      agent(({ createdAt }) => ({ createdAt: later(createdAt, 2000).replace(/\.\d+/, '') })),
    ],
  },
};
