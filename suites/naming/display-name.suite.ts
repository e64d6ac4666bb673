/** naming.display-name.*: the length of a displayName, and that it is returned unchanged. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms } from '../engine/conforms.ts';
import { judges, refuses } from '../judge/judgement.ts';
import {
  isAboutSomethingElse,
  isConcurrentUpdate,
  isSuccess,
  resourceWrites,
  sentMetadata,
} from '../kit/resources/seen-resource.ts';
import type { Run } from '../engine/conforms.ts';
import { asciiText, readableText } from '../generators/display-name.ts';
import { eachAccepted } from '../kit/provision/each-accepted.ts';
import type { Metadata } from '../kit/provision/each-accepted.ts';
import { eachRefused } from '../kit/provision/each-refused.ts';
import { everyWrite, isRepeatable, writes } from '../kit/provision/writes.ts';
import { isOmitted } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { validMetadata, validTexts } from './valid-metadata.ts';
import { failureMismatches, writeMetadata } from './failed-write.ts';
import { isOwnText } from './own-text.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Mismatch } from '../target/violation.ts';

/** The displayName of a response. Null counts as absent if the response has no documented shape. */
function otherDisplayName({ displayName }: Metadata, exchange: Exchange): Mismatch[] {
  const returned = metadataIn(exchange.response.json)['displayName'];
  if ((returned ?? displayName) === displayName) return [];
  return [
    {
      expected: `displayName ${JSON.stringify(displayName)}`,
      actual: `displayName ${JSON.stringify(returned)}`,
      exchange,
    },
  ];
}

const { maxLength: MAX_LENGTH } = requirement('naming.display-name.up-to-63-accepted').values;

judges('naming.display-name.up-to-63-accepted', resourceWrites, (seen) => {
  const { displayName } = sentMetadata(seen);
  if (!isSuccess(seen) || isConcurrentUpdate(seen) || typeof displayName !== 'string' || !isPlainText(displayName))
    return undefined;
  const returned = metadataIn(seen.json)['displayName'];
  if (isOmitted(returned) || !isOwnText(seen, displayName, returned)) return undefined;
  return otherDisplayName({ displayName }, seen.exchange);
});

/** A server may trim spaces. Repeated ones are judged by naming.texts.repeated-spaces-unchanged. */
const isPlainText = (text: string): boolean =>
  text !== '' &&
  text === text.trim() &&
  !/\s{2}|\p{Cc}/u.test(text) &&
  text.isWellFormed() &&
  text.length <= MAX_LENGTH;

conforms('naming.display-name.up-to-63-accepted', async (run) => {
  const { maxLength } = run.rule.values;
  await eachAccepted(run, {
    candidates: await writes(run),
    inputs: { displayName: readableText(maxLength) },
    boundaries: [{ displayName: 'x'.repeat(maxLength - 1) }],
    examples: validTexts.map((displayName) => ({ displayName })),
    metadata: ({ displayName }) => ({ name: run.newName(), displayName }),
    judged: 'displayName',
    together: (index) => validMetadata(run, index),
    differences: otherDisplayName,
  });
  await run.forEach(['of 80 bytes'], () => longTextMismatches(run, 'é'.repeat(40)));
});

/** May be refused, because it is not documented how such characters are counted. */
async function longTextMismatches(run: Run, displayName: string): Promise<Mismatch[]> {
  const repeatable = (await writes(run)).filter((write) => isRepeatable(run, write));
  const write = repeatable.find(({ agent }) => agent !== undefined) ?? repeatable[0];
  if (write === undefined) return [];
  const exchange = await writeMetadata(run, write, { displayName });
  return isSuccessful(exchange)
    ? otherDisplayName({ displayName }, exchange)
    : failureMismatches(run, write, { displayName }, exchange);
}

refuses('naming.display-name.over-63-rejected', resourceWrites, {
  isFlawed: (seen) => {
    const { displayName } = sentMetadata(seen);
    // It is not documented how other characters are counted, and a server may trim spaces.
    return (
      typeof displayName === 'string' && /^[\x20-\x7E]*$/.test(displayName) && displayName.trim().length > MAX_LENGTH
    );
  },
  status: '4xx',
  unless: isAboutSomethingElse,
});

conforms('naming.display-name.over-63-rejected', async (run) => {
  const { tooLong } = run.rule.values;
  const lengths = [tooLong + 1, 100, 128, 255, 256, 1000];
  await eachRefused(run, {
    candidates: await everyWrite(run),
    invalidPart: { length: fc.integer({ min: tooLong, max: 300 }), text: asciiText(5, 20) },
    boundaries: [{ length: tooLong, text: 'too long' }],
    examples: lengths.map((length) => ({ length, text: 'too long' })),
    classOf: ({ length }) => (length < 128 ? 'slightly too long' : 'much too long'),
    request: ({ input }, name, { length, text }) =>
      input({ name, displayName: `${name}-`.padEnd(length - 1, text) + 'z' }),
  });
});
