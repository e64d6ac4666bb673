/** Deviations of when and by whom a resource was created and updated. */
import { deviationsOf } from '../table.ts';
import type { JsonObject } from '../../http/json-object.ts';
import type { Deviations } from '../deviation.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { changesResponse, isFromApiKey, isOfMk3 } from '../writes.ts';

/** RFC 3339, so many milliseconds later. */
const later = (timestamp: unknown, milliseconds: number): string =>
  new Date(Date.parse(String(timestamp)) + milliseconds).toISOString();

const isDisabled = (spec: unknown): boolean => (spec as JsonObject)['enabled'] === false;

export const timestampsDeviations: Deviations = deviationsOf({
  'resources.timestamps.ordered': {
    '': changesResponse('Dates the update of a VPC a second before its creation', ['createVpc'], ({ metadata }) => {
      metadata['updatedAt'] = later(metadata['createdAt'], -1000);
    }),
    millisecond: changesResponse(
      'Dates the update of a connection a millisecond before its creation',
      ['createIntegrationConnection'],
      ({ metadata }) => {
        metadata['updatedAt'] = later(metadata['createdAt'], -1);
      },
    ),
    never: changesResponse('Omits the update of a function', ['createFunction'], ({ metadata }) => {
      metadata['updatedAt'] = '0001-01-01T00:00:00Z';
    }),
    words: changesResponse('Returns updatedAt of an agent in words', ['updateAgent'], ({ metadata }) => {
      metadata['updatedAt'] = 'just now';
    }),
    'no-date': changesResponse(
      'Returns an empty createdAt of a connection',
      ['createIntegrationConnection'],
      ({ metadata }) => {
        metadata['createdAt'] = '';
      },
    ),
    'api-key': changesResponse(
      'Returns updates by API keys in another zone labelled UTC',
      ['updateAgent'],
      ({ metadata }, _, ctx) => {
        if (isFromApiKey(ctx)) metadata['updatedAt'] = later(metadata['updatedAt'], -5 * 3_600_000);
      },
    ),
  },

  'resources.timestamps.update-moves-updated-at': {
    third: statefulDeviation('Returns the creation as the time of every third update', (what) => {
      let count = 0;
      return changesResponse(what, ['updateAgent'], ({ metadata }) => {
        if ((count += 1) % 3 === 0) metadata['updatedAt'] = metadata['createdAt'];
      });
    }),
  },

  'resources.timestamps.creation-kept': {
    '': changesResponse('Resets createdAt of an agent at each update', ['updateAgent'], ({ metadata }) => {
      metadata['createdAt'] = metadata['updatedAt'];
    }),
    by: changesResponse('Resets createdBy of an agent at each update', ['updateAgent'], ({ metadata }) => {
      metadata['createdBy'] = metadata['updatedBy'];
    }),
    enabled: changesResponse('Resets createdAt of a disabled agent', ['updateAgent'], ({ metadata, spec }) => {
      if (isDisabled(spec)) metadata['createdAt'] = metadata['updatedAt'];
    }),
    mk3: changesResponse('Resets createdAt of an mk3 agent at each update', ['updateAgent'], (returned) => {
      if (isOfMk3(returned)) returned.metadata['createdAt'] = returned.metadata['updatedAt'];
    }),
    labels: changesResponse(
      'Removes createdBy of an agent if its labels are removed',
      ['updateAgent'],
      ({ metadata }) => {
        if (metadata['labels'] === undefined) metadata['createdBy'] = '';
      },
    ),
    second: changesResponse(
      'Returns createdAt of an agent two seconds later, in whole seconds, after its deployment',
      ['updateAgent'],
      ({ metadata, events }) => {
        if ((events as JsonObject[]).some(({ status }) => status === 'DEPLOYED'))
          metadata['createdAt'] = later(metadata['createdAt'], 2000).replace(/\.\d+/, '');
      },
    ),
  },
});
