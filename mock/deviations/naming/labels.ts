/** Deviations of labels. */
import type { Table } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import {
  accepts,
  changesResponse,
  storesInstead,
  appliesThenRefuses,
  refuses,
  textOf,
  withMetadata,
} from '../writes.ts';
import type { Sent } from '../writes.ts';

const labelsOf = ({ metadata: { labels } }: Sent): [string, unknown][] =>
  typeof labels === 'object' && labels !== null ? Object.entries(labels) : [];
const isText = ([, value]: [string, unknown]): boolean => typeof value === 'string';
const unlabelled = (sent: Sent) => withMetadata(sent, { labels: {} });

/** Modifies the returned labels. */
const showsLabels = (ids: readonly OperationId[], edit: (labels: [string, unknown][]) => [string, unknown][]) =>
  changesResponse(ids, ({ metadata }) => {
    const { labels } = metadata;
    if (labels !== undefined) metadata['labels'] = Object.fromEntries(edit(Object.entries(labels as object)));
  });

const writes: readonly OperationId[] = ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'];

export const labelsDeviations: Table = {
  'naming.labels.string-values': {
    'accepts numbers as labels of a VPC': accepts(
      ['createVpc'],
      (sent) => labelsOf(sent).some(([, value]) => typeof value === 'number'),
      unlabelled,
    ),
    'returns at most ten labels of a function': showsLabels(['createFunction'], (labels) => labels.slice(0, 10)),
    'does not validate the last label of an agent': accepts(
      ['updateAgent'],
      (sent) =>
        labelsOf(sent).length > 0 &&
        labelsOf(sent).slice(0, -1).every(isText) &&
        !Array.isArray(sent.metadata['labels']),
      unlabelled,
    ),
    'does not validate the labels of a connection after the first': accepts(
      ['createIntegrationConnection'],
      (sent) => labelsOf(sent).length > 1 && labelsOf(sent).slice(1).every(isText),
      unlabelled,
    ),
    'accepts an empty list as labels of a function': accepts(
      ['createFunction'],
      ({ metadata: { labels } }) => Array.isArray(labels) && labels.length === 0,
      unlabelled,
    ),
    'accepts a string as labels of an agent': accepts(
      ['updateAgent'],
      ({ metadata }) => typeof metadata['labels'] === 'string',
      unlabelled,
    ),
    'accepts objects as labels of a connection': accepts(
      ['createIntegrationConnection'],
      (sent) =>
        labelsOf(sent).every(([, value]) => typeof value !== 'number' && typeof value !== 'boolean') &&
        !Array.isArray(sent.metadata['labels']) &&
        labelsOf(sent).some(([, value]) => typeof value === 'object'),
      unlabelled,
    ),
    'refuses a function with more than one label': refuses(['createFunction'], (sent) => labelsOf(sent).length > 1),
    'returns at most three labels of a VPC': showsLabels(['createVpc'], (labels) => labels.slice(0, 3)),
    'omits the empty labels of a VPC': showsLabels(['createVpc'], (labels) =>
      labels.filter(([, value]) => value !== ''),
    ),
    'omits the empty labels of an agent': showsLabels(['updateAgent'], (labels) =>
      labels.filter(([, value]) => value !== ''),
    ),
    'truncates labels to 63 characters': showsLabels(writes, (labels) =>
      labels.map(([key, value]) => [key, textOf(value).slice(0, 63)]),
    ),
    'omits labels whose key is not ASCII': showsLabels(writes, (labels) =>
      labels.filter(([key]) => /^[\x20-\x7e]*$/.test(key)),
    ),
    'returns the label keys of an agent in lower case': showsLabels(['updateAgent'], (labels) =>
      labels.map(([key, value]) => [key.toLowerCase(), value]),
    ),
    "returns a function's labels of digits as numbers": showsLabels(['createFunction'], (labels) =>
      labels.map(([key, value]) => [key, /^\d+$/.test(textOf(value)) ? Number(value) : value]),
    ),
    "does not store a VPC's label constructor": storesInstead(['createVpc'], ({ metadata, ...resource }) => {
      const { constructor: _, ...labels } = { ...(metadata['labels'] as object) };
      return { ...resource, metadata: { ...metadata, labels } };
    }),
    'refuses true as a label of a VPC only after it creates the VPC': appliesThenRefuses(
      ['createVpc'],
      (sent) => labelsOf(sent).some(([, value]) => value === true),
      unlabelled,
    ),
  },
};
