/** Deviations of when and by whom a resource was created and updated. */
import { stateful } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { JsonObject } from '../../http/json-object.ts';
import { changesResponse, isFromApiKey, isOfMk3 } from '../writes.ts';

/** RFC 3339, so many milliseconds later. */
const later = (timestamp: unknown, milliseconds: number): string =>
  new Date(Date.parse(String(timestamp)) + milliseconds).toISOString();

const isDisabled = (spec: unknown): boolean => (spec as JsonObject)['enabled'] === false;

export const timestampsDeviations: Table = {
  'resources.timestamps.ordered': {
    'dates the update of a VPC a second before its creation': changesResponse(['createVpc'], ({ metadata }) => {
      metadata['updatedAt'] = later(metadata['createdAt'], -1000);
    }),
    'dates the update of a connection a millisecond before its creation': changesResponse(
      ['createIntegrationConnection'],
      ({ metadata }) => {
        metadata['updatedAt'] = later(metadata['createdAt'], -1);
      },
    ),
    'omits the update of a function': changesResponse(['createFunction'], ({ metadata }) => {
      metadata['updatedAt'] = '0001-01-01T00:00:00Z';
    }),
    'returns updatedAt of an agent in words': changesResponse(['updateAgent'], ({ metadata }) => {
      metadata['updatedAt'] = 'just now';
    }),
    'returns an empty createdAt of a connection': changesResponse(['createIntegrationConnection'], ({ metadata }) => {
      metadata['createdAt'] = '';
    }),
    'returns updates by API keys in another zone labelled UTC': changesResponse(
      ['updateAgent'],
      ({ metadata }, _, ctx) => {
        if (isFromApiKey(ctx)) metadata['updatedAt'] = later(metadata['updatedAt'], -5 * 3_600_000);
      },
    ),
  },

  'resources.timestamps.update-moves-updated-at': {
    'returns the creation as the time of every third update': stateful(() => {
      let count = 0;
      return changesResponse(['updateAgent'], ({ metadata }) => {
        if ((count += 1) % 3 === 0) metadata['updatedAt'] = metadata['createdAt'];
      });
    }),
  },

  'resources.timestamps.creation-kept': {
    'resets createdAt of an agent at each update': changesResponse(['updateAgent'], ({ metadata }) => {
      metadata['createdAt'] = metadata['updatedAt'];
    }),
    'resets createdBy of an agent at each update': changesResponse(['updateAgent'], ({ metadata }) => {
      metadata['createdBy'] = metadata['updatedBy'];
    }),
    'resets createdAt of a disabled agent': changesResponse(['updateAgent'], ({ metadata, spec }) => {
      if (isDisabled(spec)) metadata['createdAt'] = metadata['updatedAt'];
    }),
    'resets createdAt of an mk3 agent at each update': changesResponse(['updateAgent'], (returned) => {
      if (isOfMk3(returned)) returned.metadata['createdAt'] = returned.metadata['updatedAt'];
    }),
    'removes createdBy of an agent if its labels are removed': changesResponse(['updateAgent'], ({ metadata }) => {
      if (metadata['labels'] === undefined) metadata['createdBy'] = '';
    }),
    'returns createdAt of an agent two seconds later, in whole seconds, after its deployment': changesResponse(
      ['updateAgent'],
      ({ metadata, events }) => {
        if ((events as JsonObject[]).some(({ status }) => status === 'DEPLOYED'))
          metadata['createdAt'] = later(metadata['createdAt'], 2000).replace(/\.\d+/, '');
      },
    ),
  },
};
