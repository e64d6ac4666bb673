/** Faults in labels. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Deviations } from '../deviation.ts';
import { accepts, answers, keeps, leavesBehind, refuses, textOf, withMetadata } from '../writes.ts';
import type { Sent } from '../writes.ts';

const labelsOf = ({ metadata: { labels } }: Sent): [string, unknown][] =>
  typeof labels === 'object' && labels !== null ? Object.entries(labels) : [];
const isText = ([, value]: [string, unknown]): boolean => typeof value === 'string';
const unlabelled = (sent: Sent) => withMetadata(sent, { labels: {} });

/** Changes the labels that it shows. */
const showsLabels = (
  what: string,
  ids: readonly OperationId[],
  edit: (labels: [string, unknown][]) => [string, unknown][],
) =>
  answers(what, ids, ({ metadata }) => {
    const { labels } = metadata;
    if (labels !== undefined) metadata['labels'] = Object.fromEntries(edit(Object.entries(labels as object)));
  });

export const labelsDeviations: Deviations = deviationsOf({
  'naming.labels.string-values': {
    '': accepts(
      'accepts numbers as labels of a VPC',
      ['createVpc'],
      (sent) => labelsOf(sent).some(([, value]) => typeof value === 'number'),
      unlabelled,
    ),
    ten: showsLabels('shows no more than ten labels of a function', ['createFunction'], (labels) =>
      labels.slice(0, 10),
    ),
    last: accepts(
      'looks at all labels of an agent but the last one',
      ['updateAgent'],
      (sent) =>
        labelsOf(sent).length > 0 &&
        labelsOf(sent).slice(0, -1).every(isText) &&
        !Array.isArray(sent.metadata['labels']),
      unlabelled,
    ),
    first: accepts(
      'looks at all labels of a connection but the first one',
      ['createIntegrationConnection'],
      (sent) => labelsOf(sent).length > 1 && labelsOf(sent).slice(1).every(isText),
      unlabelled,
    ),
    list: accepts(
      'takes an empty list for the labels of a function',
      ['createFunction'],
      ({ metadata: { labels } }) => Array.isArray(labels) && labels.length === 0,
      unlabelled,
    ),
    text: accepts(
      'takes a text for the labels of an agent',
      ['updateAgent'],
      ({ metadata }) => typeof metadata['labels'] === 'string',
      unlabelled,
    ),
    nested: accepts(
      'accepts objects as labels of a connection',
      ['createIntegrationConnection'],
      (sent) =>
        labelsOf(sent).every(([, value]) => typeof value !== 'number' && typeof value !== 'boolean') &&
        !Array.isArray(sent.metadata['labels']) &&
        labelsOf(sent).some(([, value]) => typeof value === 'object'),
      unlabelled,
    ),
    refused: refuses(
      'refuses a function with more than four labels',
      ['createFunction'],
      (sent) => labelsOf(sent).length > 4,
    ),
    lost: showsLabels('shows no more than three labels of a VPC', ['createVpc'], (labels) => labels.slice(0, 3)),
    empty: showsLabels('shows no labels of a VPC whose value is empty', ['createVpc'], (labels) =>
      labels.filter(([, value]) => value !== ''),
    ),
    'lower-case': showsLabels('shows the keys of an agent’s labels in lower case', ['updateAgent'], (labels) =>
      labels.map(([key, value]) => [key.toLowerCase(), value]),
    ),
    parsed: showsLabels('shows a function’s labels of digits as numbers', ['createFunction'], (labels) =>
      labels.map(([key, value]) => [key, /^\d+$/.test(textOf(value)) ? Number(value) : value]),
    ),
    kept: keeps('keeps a VPC’s labels without the key constructor', ['createVpc'], ({ metadata, ...resource }) => {
      const { constructor: _, ...labels } = { ...(metadata['labels'] as object) };
      return { ...resource, metadata: { ...metadata, labels } };
    }),
    'left-behind': leavesBehind(
      'refuses true as a label of a VPC only after it is made',
      ['createVpc'],
      (sent) => labelsOf(sent).some(([, value]) => value === true),
      unlabelled,
    ),
  },
});
