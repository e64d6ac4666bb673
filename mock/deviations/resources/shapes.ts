/** Deviations of the shape of successful responses. */
import { onSuccess } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';

interface Shown {
  readonly metadata?: object;
}

interface Listing {
  readonly files: readonly { readonly size: number }[];
}

export const shapesDeviations: Table = {
  'resources.shapes.fit-the-schema': {
    'returns an integration with its endpoints as a list': onSuccess(['getIntegration'], (body: object) => ({
      ...body,
      endpoints: [],
    })),
    'returns the labels of a created VPC as a list': onSuccess(['createVpc'], (body: Shown) => ({
      ...body,
      metadata: { ...body.metadata, labels: [] },
    })),
    'returns the events of an updated agent as an object': onSuccess(['updateAgent'], (body: Shown) => ({
      ...body,
      events: {},
    })),
    'returns the sizes of a tree write as strings': onSuccess(['writeTree'], (body: Listing) => ({
      ...body,
      files: body.files.map((file) => ({ ...file, size: String(file.size) })),
    })),
    'returns multipart uploads keyed by id': onSuccess(['listMultipartUploads'], () => ({ uploads: {} })),
    'returns a number as the newest version of a template': onSuccess(
      ['deleteVolumeTemplateVersion'],
      (body: { template: { state: object } }) => ({
        ...body,
        template: { ...body.template, state: { ...body.template.state, latestVersion: 1 } },
      }),
    ),
    'returns the resource type of an instance as a list': onSuccess(
      ['getAccountMetrics'],
      (body: AccountMetricsResponse) => ({
        ...body,
        data: body.data.map((entry) =>
          'resourceUuid' in entry ? { ...entry, resourceType: [entry.resourceType] } : entry,
        ),
      }),
    ),
  },
};
