/** naming.labels.*: the values of labels, and that they are returned unchanged. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import { alsoJudges, refuses } from '../judge/judgement.ts';
import {
  isAboutSomethingElse,
  isCreatedNow,
  isConcurrentUpdate,
  isSuccess,
  resourceWrites,
  sentMetadata,
} from '../kit/resources/seen-resource.ts';
import { isSuccessful } from '../target/eventually.ts';
import { formatBoth } from '../expect/format-value.ts';
import { fieldsOf, isFields, isOmitted } from '../json/fields.ts';
import { emptyLabel, labels, nonString, nonObjects, nonStrings, unusualLabels } from '../generators/labels.ts';
import { word } from '../generators/resource-name.ts';
import { kindOfValue } from '../generators/wrong-type.ts';
import { unique } from '../kit/provision/creates.ts';
import { eachAccepted } from '../kit/provision/each-accepted.ts';
import type { Metadata } from '../kit/provision/each-accepted.ts';
import { eachRefused } from '../kit/provision/each-refused.ts';
import { isRepeatable, writes, writeTitle } from '../kit/provision/writes.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { failureMismatches, writeMetadata } from './failed-write.ts';
import { validLabels, validMetadata } from './valid-metadata.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

/** If a response has labels, it contains all that were sent, unchanged. The server may add others. */
function otherLabels({ labels: sent = {} }: Metadata, exchange: Exchange): Mismatch[] {
  const returned = metadataIn(exchange.response.json)['labels'];
  if (isOmitted(returned)) return [];
  const returnedLabels = fieldsOf(returned) ?? {};
  const missing = Object.entries(sent).filter(
    ([key, value]) => !Object.hasOwn(returnedLabels, key) || returnedLabels[key] !== value,
  );
  return missing.map(([key, value]) => {
    const label = `metadata.labels${/^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}`;
    const returnedValue = Object.hasOwn(returnedLabels, key) ? returnedLabels[key] : undefined;
    const [expected, actual] = formatBoth(value, returnedValue);
    return { expected: `${label}: ${expected}`, actual: `${label}: ${actual}`, exchange };
  });
}

refuses('naming.labels.string-values', resourceWrites, {
  isFlawed: (seen) => {
    const { labels: sent } = sentMetadata(seen);
    if (!isFields(sent)) return !isOmitted(sent);
    return Object.values(sent).some((value) => !isOmitted(value) && typeof value !== 'string');
  },
  status: '4xx',
  unless: isAboutSomethingElse,
});

alsoJudges('naming.labels.string-values', (seen) => {
  const { labels: sent, displayName } = sentMetadata(seen);
  if (!isSuccess(seen) || isConcurrentUpdate(seen) || !isFields(sent)) return undefined;
  const isOwn = typeof displayName === 'string' && displayName === metadataIn(seen.json)['displayName'];
  if (seen.operation.id !== 'updateAgent' && !(isOwn && isCreatedNow(seen))) return undefined;
  const plain = Object.fromEntries(Object.entries(sent).filter(([, value]) => isPlainValue(value)));
  if (Object.keys(plain).length === 0 || isOmitted(metadataIn(seen.json)['labels'])) return undefined;
  return otherLabels({ labels: plain }, seen.exchange);
});

/** Repeated spaces are judged by naming.texts.repeated-spaces-unchanged. */
const isPlainValue = (value: unknown): boolean =>
  typeof value === 'string' && value === value.trim() && !/\s{2}/.test(value) && value.isWellFormed();

/** A label at any position among others. */
const labelAt = (place: number, value: unknown): object => {
  const others: [string, unknown][] = [
    ['first', 'one'],
    ['second', 'two'],
  ];
  return Object.fromEntries(others.toSpliced(place, 0, ['odd', value]));
};

conforms('naming.labels.string-values', async (run) => {
  const all = await writes(run);
  await eachAccepted(run, {
    candidates: all,
    inputs: { sent: labels },
    examples: validLabels.map((sent) => ({ sent })),
    metadata: ({ sent }) => ({ name: run.newName(), displayName: unique(run, 'With labels'), labels: sent }),
    judged: 'labels',
    together: (index) => validMetadata(run, index),
    differences: otherLabels,
  });
  // They may be refused (decision 035). If they are accepted, they are returned.
  const repeatable = all.filter((write) => isRepeatable(run, write));
  const byTitle = new Map(repeatable.map((write) => [writeTitle(write), write]));
  const titles = [...byTitle.keys()];
  const unusual = unusualLabels.map((sent, index) => ({ operation: titles[index % titles.length]!, sent }));
  // Empty values are more common than the others: sent with every operation.
  const empty = titles.map((operation) => ({ operation, sent: emptyLabel }));
  await run.forEach(
    [...empty, ...unusual],
    async ({ operation, sent }) => {
      const labelled = { displayName: unique(run, 'With labels'), labels: sent };
      const write = run.need(byTitle.get(operation), operation);
      const exchange = await writeMetadata(run, write, labelled);
      return isSuccessful(exchange)
        ? otherLabels(labelled, exchange)
        : failureMismatches(run, write, labelled, exchange);
    },
    { all: true },
  );
  const invalidLabel = fc.record({ place: fc.nat({ max: 2 }), value: nonString });
  await eachRefused(run, {
    candidates: all,
    invalidPart: {
      invalidLabels: fc.oneof(
        invalidLabel.map(({ place, value }) => labelAt(place, value)),
        word(1, 8),
        fc.array(word(1, 8)),
        fc.integer(),
      ),
    },
    examples: [
      ...nonObjects.map((invalidLabels) => ({ invalidLabels })),
      ...nonStrings.map((value, index) => ({ invalidLabels: labelAt(index % 3, value) })),
      { invalidLabels: { only: 1 } },
    ],
    classOf: ({ invalidLabels }) =>
      isFields(invalidLabels)
        ? Object.values(invalidLabels).map(kindOfValue).toSorted().join(' and ')
        : kindOfValue(invalidLabels),
    request: ({ input }, name, { invalidLabels }) => input({ name, displayName: name, labels: invalidLabels }),
  });
});
