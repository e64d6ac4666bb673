/** Deviations of the shape of successful responses. */
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
    '': onSuccess('Returns an integration with its endpoints as a list', ['getIntegration'], (body: object) => ({
      ...body,
      endpoints: [],
    })),
    created: onSuccess('Returns the labels of a created VPC as a list', ['createVpc'], (body: Shown) => ({
      ...body,
      metadata: { ...body.metadata, labels: [] },
    })),
    updated: onSuccess('Returns the events of an updated agent as an object', ['updateAgent'], (body: Shown) => ({
      ...body,
      events: {},
    })),
    listing: onSuccess('Returns the sizes of a tree write as strings', ['writeTree'], (body: Listing) => ({
      ...body,
      files: body.files.map((file) => ({ ...file, size: String(file.size) })),
    })),
    uploads: onSuccess('Returns multipart uploads keyed by id', ['listMultipartUploads'], () => ({ uploads: {} })),
    'deleted-version': onSuccess(
      'Returns a number as the newest version of a template',
      ['deleteVolumeTemplateVersion'],
      (body: { template: { state: object } }) => ({
        ...body,
        template: { ...body.template, state: { ...body.template.state, latestVersion: 1 } },
      }),
    ),
    grouped: onSuccess(
      'Returns the resource type of an instance as a list',
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
