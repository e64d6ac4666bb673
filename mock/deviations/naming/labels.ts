/** Deviations of labels. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Deviations } from '../deviation.ts';
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
const showsLabels = (
  what: string,
  ids: readonly OperationId[],
  edit: (labels: [string, unknown][]) => [string, unknown][],
) =>
  changesResponse(what, ids, ({ metadata }) => {
    const { labels } = metadata;
    if (labels !== undefined) metadata['labels'] = Object.fromEntries(edit(Object.entries(labels as object)));
  });

const writes: readonly OperationId[] = ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'];

export const labelsDeviations: Deviations = deviationsOf({
  'naming.labels.string-values': {
    '': accepts(
      'Accepts numbers as labels of a VPC',
      ['createVpc'],
      (sent) => labelsOf(sent).some(([, value]) => typeof value === 'number'),
      unlabelled,
    ),
    ten: showsLabels('Returns at most ten labels of a function', ['createFunction'], (labels) => labels.slice(0, 10)),
    last: accepts(
      'Does not validate the last label of an agent',
      ['updateAgent'],
      (sent) =>
        labelsOf(sent).length > 0 &&
        labelsOf(sent).slice(0, -1).every(isText) &&
        !Array.isArray(sent.metadata['labels']),
      unlabelled,
    ),
    first: accepts(
      'Does not validate the labels of a connection after the first',
      ['createIntegrationConnection'],
      (sent) => labelsOf(sent).length > 1 && labelsOf(sent).slice(1).every(isText),
      unlabelled,
    ),
    list: accepts(
      'Accepts an empty list as labels of a function',
      ['createFunction'],
      ({ metadata: { labels } }) => Array.isArray(labels) && labels.length === 0,
      unlabelled,
    ),
    text: accepts(
      'Accepts a string as labels of an agent',
      ['updateAgent'],
      ({ metadata }) => typeof metadata['labels'] === 'string',
      unlabelled,
    ),
    nested: accepts(
      'Accepts objects as labels of a connection',
      ['createIntegrationConnection'],
      (sent) =>
        labelsOf(sent).every(([, value]) => typeof value !== 'number' && typeof value !== 'boolean') &&
        !Array.isArray(sent.metadata['labels']) &&
        labelsOf(sent).some(([, value]) => typeof value === 'object'),
      unlabelled,
    ),
    refused: refuses(
      'Refuses a function with more than one label',
      ['createFunction'],
      (sent) => labelsOf(sent).length > 1,
    ),
    lost: showsLabels('Returns at most three labels of a VPC', ['createVpc'], (labels) => labels.slice(0, 3)),
    empty: showsLabels('Omits the empty labels of a VPC', ['createVpc'], (labels) =>
      labels.filter(([, value]) => value !== ''),
    ),
    'empty-agent': showsLabels('Omits the empty labels of an agent', ['updateAgent'], (labels) =>
      labels.filter(([, value]) => value !== ''),
    ),
    'long-value': showsLabels('Truncates labels to 63 characters', writes, (labels) =>
      labels.map(([key, value]) => [key, textOf(value).slice(0, 63)]),
    ),
    'ascii-keys': showsLabels('Omits labels whose key is not ASCII', writes, (labels) =>
      labels.filter(([key]) => /^[\x20-\x7e]*$/.test(key)),
    ),
    'lower-case': showsLabels('Returns the label keys of an agent in lower case', ['updateAgent'], (labels) =>
      labels.map(([key, value]) => [key.toLowerCase(), value]),
    ),
    parsed: showsLabels("Returns a function's labels of digits as numbers", ['createFunction'], (labels) =>
      labels.map(([key, value]) => [key, /^\d+$/.test(textOf(value)) ? Number(value) : value]),
    ),
    kept: storesInstead("Does not store a VPC's label constructor", ['createVpc'], ({ metadata, ...resource }) => {
      const { constructor: _, ...labels } = { ...(metadata['labels'] as object) };
      return { ...resource, metadata: { ...metadata, labels } };
    }),
    'left-behind': appliesThenRefuses(
      'Refuses true as a label of a VPC only after it creates the VPC',
      ['createVpc'],
      (sent) => labelsOf(sent).some(([, value]) => value === true),
      unlabelled,
    ),
  },
});
