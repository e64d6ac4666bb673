/** Faults in the shape of success answers. */
import { deviationsOf } from '../table.ts';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import { onSuccess, type Deviations } from '../deviation.ts';

interface Shown {
  readonly metadata?: object;
}

interface Listing {
  readonly files: readonly { readonly size: number }[];
}

export const shapesDeviations: Deviations = deviationsOf({
  'resources.shapes.fit-the-schema': {
    '': onSuccess('answers an integration with its endpoints as a list', ['getIntegration'], (body: object) => ({
      ...body,
      endpoints: [],
    })),
    created: onSuccess('answers a created VPC with labels as a list', ['createVpc'], (body: Shown) => ({
      ...body,
      metadata: { ...body.metadata, labels: [] },
    })),
    updated: onSuccess('answers an updated agent with its events as an object', ['updateAgent'], (body: Shown) => ({
      ...body,
      events: {},
    })),
    listing: onSuccess('answers a tree write with sizes as text', ['writeTree'], (body: Listing) => ({
      ...body,
      files: body.files.map((file) => ({ ...file, size: String(file.size) })),
    })),
    uploads: onSuccess('answers multipart uploads by their ids', ['listMultipartUploads'], () => ({ uploads: {} })),
    'deleted-version': onSuccess(
      'answers a template whose newest version is a number',
      ['deleteVolumeTemplateVersion'],
      (body: { template: { state: object } }) => ({
        ...body,
        template: { ...body.template, state: { ...body.template.state, latestVersion: 1 } },
      }),
    ),
    grouped: onSuccess(
      'answers the resource type of an instance as a list',
      ['getAccountMetrics'],
      (body: AccountMetricsResponse) => ({
        ...body,
        data: body.data.map((entry) =>
          'resourceUuid' in entry ? { ...entry, resourceType: [entry.resourceType] } : entry,
        ),
      }),
    ),
  },
});
