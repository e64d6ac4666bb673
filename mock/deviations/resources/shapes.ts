/** Deviations of the shape of successful responses. */
import type { AccountMetricsDataEntry } from '../../../spec/generated/types.ts';
import { onSuccess, returns } from '../deviation.ts';
import type { Table } from '../table.ts';

export const shapesDeviations: Table = {
  'resources.shapes.fit-the-schema': {
    'returns an integration with its endpoints as a list': onSuccess(['getIntegration'], (body: object) => ({
      ...body,
      endpoints: [],
    })),
    'returns the labels of a created VPC as a list': returns('createVpc', 'metadata', (metadata: object) => ({
      ...metadata,
      labels: [],
    })),
    'returns the events of an updated agent as an object': returns('updateAgent', 'events', () => ({})),
    'returns the sizes of a tree write as strings': returns('writeTree', 'files[].size', String),
    'returns multipart uploads keyed by id': onSuccess(['listMultipartUploads'], () => ({ uploads: {} })),
    'returns a number as the newest version of a template': returns(
      'deleteVolumeTemplateVersion',
      'template.state.latestVersion',
      () => 1,
    ),
    'returns the resource type of an instance as a list': returns(
      'getAccountMetrics',
      'data[]',
      (entry: AccountMetricsDataEntry) =>
        'resourceUuid' in entry ? { ...entry, resourceType: [entry.resourceType] } : entry,
    ),
  },
};
