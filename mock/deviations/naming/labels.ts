/** Deviations of labels. */
import type { OperationId } from '../../../spec/generated/types.ts';
import { returns, type Effect, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import { accepts, appliesThenRefuses, refuses, storesInstead, textOf, withMetadata } from '../writes.ts';
import type { Sent } from '../writes.ts';

type Label = [string, unknown];
type Ids = OperationId | readonly OperationId[];

const labelsOf = ({ metadata: { labels } }: Sent): Label[] =>
  typeof labels === 'object' && labels !== null ? Object.entries(labels) : [];
const isText = ([, value]: Label): boolean => typeof value === 'string';
const isList = ({ metadata: { labels } }: Sent): boolean => Array.isArray(labels);
const unlabelled = (sent: Sent) => withMetadata(sent, { labels: {} });
const some =
  (holds: (value: unknown) => boolean) =>
  (sent: Sent): boolean =>
    labelsOf(sent).some(([, value]) => holds(value));

/** Modifies the returned labels. */
const shows = (ids: Ids, edit: (labels: Label[]) => Label[]): Effect =>
  returns(ids, 'metadata.labels', (labels: object) => Object.fromEntries(edit(Object.entries(labels))));
const takes = (id: OperationId, concerns: (sent: Sent) => boolean): Fault => accepts([id], concerns, unlabelled);

const writes: readonly OperationId[] = ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'];
const withoutEmpty = (labels: Label[]): Label[] => labels.filter(([, value]) => value !== '');

export const labelsDeviations: Table = {
  'naming.labels.string-values': {
    'accepts numbers as labels of a VPC': takes(
      'createVpc',
      some((value) => typeof value === 'number'),
    ),
    'returns at most ten labels of a function': shows('createFunction', (labels) => labels.slice(0, 10)),
    'does not validate the last label of an agent': takes(
      'updateAgent',
      (sent) => labelsOf(sent).length > 0 && labelsOf(sent).slice(0, -1).every(isText) && !isList(sent),
    ),
    'does not validate the labels of a connection after the first': takes(
      'createIntegrationConnection',
      (sent) => labelsOf(sent).length > 1 && labelsOf(sent).slice(1).every(isText),
    ),
    'accepts an empty list as labels of a function': takes(
      'createFunction',
      (sent) => isList(sent) && labelsOf(sent).length === 0,
    ),
    'accepts a string as labels of an agent': takes(
      'updateAgent',
      ({ metadata }) => typeof metadata['labels'] === 'string',
    ),
    'accepts objects as labels of a connection': takes(
      'createIntegrationConnection',
      (sent) =>
        !some((value) => typeof value === 'number' || typeof value === 'boolean')(sent) &&
        !isList(sent) &&
        some((value) => typeof value === 'object')(sent),
    ),
    'refuses a function with more than one label': refuses(['createFunction'], (sent) => labelsOf(sent).length > 1),
    'returns at most three labels of a VPC': shows('createVpc', (labels) => labels.slice(0, 3)),
    'returns 500 for an empty label of an agent': refuses(
      ['updateAgent'],
      some((value) => value === ''),
      500,
    ),
    'omits the empty labels of a VPC': shows('createVpc', withoutEmpty),
    'omits the empty labels of an agent': shows('updateAgent', withoutEmpty),
    'truncates labels to 63 characters': shows(writes, (labels) =>
      labels.map(([key, value]) => [key, textOf(value).slice(0, 63)]),
    ),
    'omits labels whose key is not ASCII': shows(writes, (labels) =>
      labels.filter(([key]) => /^[\x20-\x7e]*$/.test(key)),
    ),
    'returns the label keys of an agent in lower case': shows('updateAgent', (labels) =>
      labels.map(([key, value]) => [key.toLowerCase(), value]),
    ),
    "returns a function's labels of digits as numbers": shows('createFunction', (labels) =>
      labels.map(([key, value]) => [key, /^\d+$/.test(textOf(value)) ? Number(value) : value]),
    ),
    "does not store a VPC's label constructor": storesInstead(['createVpc'], ({ metadata, ...resource }) => {
      const { constructor: _, ...labels } = { ...(metadata['labels'] as object) };
      return { ...resource, metadata: { ...metadata, labels } };
    }),
    'refuses true as a label of a VPC only after it creates the VPC': appliesThenRefuses(
      ['createVpc'],
      some((value) => value === true),
      unlabelled,
    ),
  },
};
