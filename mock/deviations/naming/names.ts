/** Deviations of which names are accepted. */
import type { Table } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import {
  accepts,
  changesResponse,
  isFromApiKey,
  appliesThenRefuses,
  refuses,
  textOf,
  withMetadata,
} from '../writes.ts';
import type { AppliesTo, Sent } from '../writes.ts';

const creates: readonly OperationId[] = ['createVpc', 'createIntegrationConnection', 'createFunction'];

const name = ({ metadata }: Sent): string => textOf(metadata['name']);

/** Turns an invalid name into a valid one: removes invalid characters and truncates it. */
const mended = (sent: Sent) => {
  const letters = JSON.stringify(sent.metadata['name'] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '');
  return withMetadata(sent, { name: letters.slice(0, 49) || `unnamed-${Math.abs(hash(JSON.stringify(sent)))}` });
};

const hash = (text: string): number => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);

const takes = (ids: readonly OperationId[], concerns: AppliesTo) => accepts(ids, concerns, mended);

/** Names whose only mistake is such a character. */
const only =
  (pattern: RegExp): AppliesTo =>
  (sent) =>
    pattern.test(name(sent)) && /^[a-z0-9-]{1,49}$/.test(name(sent).replaceAll(new RegExp(pattern, 'gu'), ''));

const longer =
  (from: number, to = Infinity): AppliesTo =>
  (sent) =>
    name(sent).length >= from && name(sent).length <= to;

export const namesDeviations: Table = {
  'naming.name.valid-accepted': {
    'refuses a function whose name ends in a digit': refuses(['createFunction'], (sent) => /-\d+$/.test(name(sent))),
    'refuses a function without labels': refuses(
      ['createFunction'],
      ({ metadata }) => metadata['labels'] === undefined,
    ),
    'returns 409 for names that end in a hyphen and digits': refuses(
      ['createVpc'],
      (sent) => /-\d+$/.test(name(sent)),
      409,
    ),
    'refuses a VPC with the letter q in its name': refuses(
      ['createVpc'],
      (sent) => name(sent).includes('q') && name(sent).length < 49,
    ),
    'refuses a connection with more than six hyphens in its name': refuses(
      ['createIntegrationConnection'],
      (sent) => name(sent).split('-').length > 7,
    ),
    'returns a VPC without the last part of its name': changesResponse(['createVpc'], ({ metadata }) => {
      if (/-\d-\d$|-9$/.test(textOf(metadata['name']))) metadata['name'] = textOf(metadata['name']).slice(0, -2);
    }),
  },

  'naming.name.at-most-49': {
    'accepts a name of 50 characters from createFunction': takes(['createFunction'], longer(50, 50)),
    'returns 409 for names of 45 or more characters': refuses(creates, longer(45, 49), 409),

    'refuses a VPC with a name of 49 characters': refuses(['createVpc'], longer(49)),
    'refuses a connection with a name of 48 or 49 characters': refuses(['createIntegrationConnection'], longer(48)),
    'accepts a VPC name of any length if labels are sent': takes(
      ['createVpc'],
      (sent, ctx) => sent.metadata['labels'] !== undefined && longer(50)(sent, ctx),
    ),
    'accepts a connection name of up to 63 characters': takes(['createIntegrationConnection'], longer(50, 63)),
    'counts the characters of a VPC name modulo 256': takes(['createVpc'], (sent) => name(sent).length % 256 <= 49),
    'accepts long names from API keys': takes(creates, (sent, ctx) => isFromApiKey(ctx) && longer(50)(sent, ctx)),
    'refuses a name of 51 characters only after it creates the function': appliesThenRefuses(
      ['createFunction'],
      longer(51, 51),
      mended,
    ),
  },

  'naming.name.other-characters-rejected': {
    'accepts an underscore in a VPC name': takes(['createVpc'], only(/_/u)),
    'lower-cases letters in a function name': takes(['createFunction'], only(/[A-Z]/u)),
    'accepts a line break at the end of a connection name': takes(['createIntegrationConnection'], only(/\n$/u)),
    'accepts a tab in a name': takes(creates, only(/\t/u)),
    'accepts a slash in a function name': takes(['createFunction'], only(/\//u)),
    'accepts @ and : in a name': takes(creates, only(/[@:]/u)),
    'trims spaces at the end of a name': takes(creates, only(/ +$/u)),
    'accepts lower-case letters of any script': takes(['createIntegrationConnection'], only(/(?![a-z])\p{Ll}/u)),
    'accepts digits of any script': takes(['createVpc'], only(/(?!\d)\p{Nd}/u)),
    'normalizes full-width letters': takes(['createFunction'], only(/[\uff41-\uff5a]/u)),
    'removes zero-width characters': takes(creates, only(/\u200b|\u200d|\u00ad|\ufeff/u)),
    'truncates a connection name at a null character': takes(['createIntegrationConnection'], only(/\0.*/u)),
    'refuses a dot only after it creates the VPC': appliesThenRefuses(['createVpc'], only(/\./u), mended),
  },

  'naming.name.required': {
    'generates a name for a function without one': takes(
      ['createFunction'],
      ({ metadata }) => metadata['name'] === undefined,
    ),
    'generates a name for a connection with an empty one': takes(
      ['createIntegrationConnection'],
      ({ metadata }) => metadata['name'] === '',
    ),
    'accepts a number as the name of a VPC': takes(
      ['createVpc'],
      ({ metadata }) => typeof metadata['name'] === 'number',
    ),
    'generates a name for a VPC whose name is null': takes(['createVpc'], ({ metadata }) => metadata['name'] === null),
    'generates a name for a connection whose name is null': takes(
      ['createIntegrationConnection'],
      ({ metadata }) => metadata['name'] === null,
    ),
    'accepts true as the name of a VPC': takes(['createVpc'], ({ metadata }) => metadata['name'] === true),
    'accepts a list of one string as the name of a function': takes(
      ['createFunction'],
      ({ metadata: { name: names } }) => Array.isArray(names) && names.length === 1 && typeof names[0] === 'string',
    ),
    'generates a name if it is false': takes(creates, ({ metadata }) => metadata['name'] === false),
    'refuses a connection without a name only after it creates one': appliesThenRefuses(
      ['createIntegrationConnection'],
      ({ metadata }) => metadata['name'] === undefined,
      mended,
    ),
  },
};
