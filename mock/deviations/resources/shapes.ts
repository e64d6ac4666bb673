/** Faults in the shape of success answers. */
import { onSuccess, type Deviations } from '../deviation.ts';

interface Shown {
  readonly metadata?: object;
}

export const shapesDeviations: Deviations = {
  'resources.shapes.fit-the-schema': onSuccess(
    'answers an integration with its endpoints as a list',
    ['getIntegration'],
    (body: object) => ({ ...body, endpoints: [] }),
  ),
  'resources.shapes.fit-the-schema/created': onSuccess(
    'answers a created VPC with labels as a list',
    ['createVpc'],
    (body: Shown) => ({ ...body, metadata: { ...body.metadata, labels: [] } }),
  ),
  'resources.shapes.fit-the-schema/updated': onSuccess(
    'answers an updated agent with its events as an object',
    ['updateAgent'],
    (body: Shown) => ({ ...body, events: {} }),
  ),
};
