/** Faults in when a resource was made and changed, and by whom. */
import { deviationsOf } from '../table.ts';
import type { JsonObject } from '../../http/json-object.ts';
import type { Deviations } from '../deviation.ts';
import { answers, isFromApiKey, isOfMk3 } from '../writes.ts';

/** RFC 3339, so many milliseconds later. */
const later = (timestamp: unknown, milliseconds: number): string =>
  new Date(Date.parse(String(timestamp)) + milliseconds).toISOString();

const isDisabled = (spec: unknown): boolean => (spec as JsonObject)['enabled'] === false;

export const timestampsDeviations: Deviations = deviationsOf({
  'resources.timestamps.ordered': {
    '': answers('dates the update of a VPC a second before its creation', ['createVpc'], ({ metadata }) => {
      metadata['updatedAt'] = later(metadata['createdAt'], -1000);
    }),
    millisecond: answers(
      'dates the update of a connection a millisecond before its creation',
      ['createIntegrationConnection'],
      ({ metadata }) => {
        metadata['updatedAt'] = later(metadata['createdAt'], -1);
      },
    ),
    never: answers('says that a function was never updated', ['createFunction'], ({ metadata }) => {
      metadata['updatedAt'] = '0001-01-01T00:00:00Z';
    }),
    words: answers('tells in words when an agent was updated', ['updateAgent'], ({ metadata }) => {
      metadata['updatedAt'] = 'just now';
    }),
    'no-date': answers(
      'gives createdAt of a connection as an empty text',
      ['createIntegrationConnection'],
      ({ metadata }) => {
        metadata['createdAt'] = '';
      },
    ),
    'api-key': answers(
      'dates updates by callers with an API key in another zone, and calls it UTC',
      ['updateAgent'],
      ({ metadata }, _, ctx) => {
        if (isFromApiKey(ctx)) metadata['updatedAt'] = later(metadata['updatedAt'], -5 * 3_600_000);
      },
    ),
  },

  'resources.timestamps.creation-kept': {
    '': answers('dates the creation of an agent anew at each update', ['updateAgent'], ({ metadata }) => {
      metadata['createdAt'] = metadata['updatedAt'];
    }),
    by: answers('says that an agent was created by whoever updated it', ['updateAgent'], ({ metadata }) => {
      metadata['createdBy'] = metadata['updatedBy'];
    }),
    enabled: answers(
      'dates the creation of an agent that is not enabled anew',
      ['updateAgent'],
      ({ metadata, spec }) => {
        if (isDisabled(spec)) metadata['createdAt'] = metadata['updatedAt'];
      },
    ),
    mk3: answers('dates the creation of an mk3 agent anew at each update', ['updateAgent'], (shown) => {
      if (isOfMk3(shown)) shown.metadata['createdAt'] = shown.metadata['updatedAt'];
    }),
    labels: answers('forgets who created an agent when its labels go', ['updateAgent'], ({ metadata }) => {
      if (metadata['labels'] === undefined) metadata['createdBy'] = '';
    }),
    second: answers(
      'dates the creation of an agent two seconds later, in whole seconds, once it was deployed',
      ['updateAgent'],
      ({ metadata, events }) => {
        if ((events as JsonObject[]).some(({ status }) => status === 'DEPLOYED'))
          metadata['createdAt'] = later(metadata['createdAt'], 2000).replace(/\.\d+/, '');
      },
    ),
  },
});
