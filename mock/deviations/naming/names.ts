/** Deviations of which names are accepted. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Deviations } from '../deviation.ts';
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

const takes = (what: string, ids: readonly OperationId[], concerns: AppliesTo) => accepts(what, ids, concerns, mended);

/** Names whose only mistake is such a character. */
const only =
  (pattern: RegExp): AppliesTo =>
  (sent) =>
    pattern.test(name(sent)) && /^[a-z0-9-]{1,49}$/.test(name(sent).replaceAll(new RegExp(pattern, 'gu'), ''));

const longer =
  (from: number, to = Infinity): AppliesTo =>
  (sent) =>
    name(sent).length >= from && name(sent).length <= to;

export const namesDeviations: Deviations = deviationsOf({
  'naming.name.valid-accepted': {
    '': refuses('Refuses a function whose name ends in a digit', ['createFunction'], (sent) =>
      /-\d+$/.test(name(sent)),
    ),
    minimal: refuses(
      'Refuses a function without labels',
      ['createFunction'],
      ({ metadata }) => metadata['labels'] === undefined,
    ),
    taken: refuses(
      'Returns 409 for names that end in a hyphen and digits',
      ['createVpc'],
      (sent) => /-\d+$/.test(name(sent)),
      409,
    ),
    letter: refuses(
      'Refuses a VPC with the letter q in its name',
      ['createVpc'],
      (sent) => name(sent).includes('q') && name(sent).length < 49,
    ),
    hyphens: refuses(
      'Refuses a connection with more than six hyphens in its name',
      ['createIntegrationConnection'],
      (sent) => name(sent).split('-').length > 7,
    ),
    shown: changesResponse('Returns a VPC without the last part of its name', ['createVpc'], ({ metadata }) => {
      if (/-\d-\d$|-9$/.test(textOf(metadata['name']))) metadata['name'] = textOf(metadata['name']).slice(0, -2);
    }),
  },

  'naming.name.at-most-49': {
    taken: refuses('Returns 409 for names of 45 or more characters', creates, longer(45, 49), 409),
    '': takes('Accepts a name of 50 characters from createFunction', ['createFunction'], longer(50, 50)),
    inside: refuses('Refuses a VPC with a name of 49 characters', ['createVpc'], longer(49)),
    'inside-connection': refuses(
      'Refuses a connection with a name of 48 or 49 characters',
      ['createIntegrationConnection'],
      longer(48),
    ),
    labelled: takes(
      'Accepts a VPC name of any length if labels are sent',
      ['createVpc'],
      (sent, ctx) => sent.metadata['labels'] !== undefined && longer(50)(sent, ctx),
    ),
    dns: takes('Accepts a connection name of up to 63 characters', ['createIntegrationConnection'], longer(50, 63)),
    wraps: takes(
      'Counts the characters of a VPC name modulo 256',
      ['createVpc'],
      (sent) => name(sent).length % 256 <= 49,
    ),
    'api-key': takes(
      'Accepts long names from API keys',
      creates,
      (sent, ctx) => isFromApiKey(ctx) && longer(50)(sent, ctx),
    ),
    'left-behind': appliesThenRefuses(
      'Refuses a name of 51 characters only after it creates the function',
      ['createFunction'],
      longer(51, 51),
      mended,
    ),
  },

  'naming.name.other-characters-rejected': {
    '': takes('Accepts an underscore in a VPC name', ['createVpc'], only(/_/u)),
    'upper-case': takes('Lower-cases letters in a function name', ['createFunction'], only(/[A-Z]/u)),
    newline: takes(
      'Accepts a line break at the end of a connection name',
      ['createIntegrationConnection'],
      only(/\n$/u),
    ),
    tab: takes('Accepts a tab in a name', creates, only(/\t/u)),
    slash: takes('Accepts a slash in a function name', ['createFunction'], only(/\//u)),
    symbols: takes('Accepts @ and : in a name', creates, only(/[@:]/u)),
    spaces: takes('Trims spaces at the end of a name', creates, only(/ +$/u)),
    letters: takes(
      'Accepts lower-case letters of any script',
      ['createIntegrationConnection'],
      only(/(?![a-z])\p{Ll}/u),
    ),
    digits: takes('Accepts digits of any script', ['createVpc'], only(/(?!\d)\p{Nd}/u)),
    fullwidth: takes('Normalizes full-width letters', ['createFunction'], only(/[\uff41-\uff5a]/u)),
    invisible: takes('Removes zero-width characters', creates, only(/\u200b|\u200d|\u00ad|\ufeff/u)),
    'null-character': takes(
      'Truncates a connection name at a null character',
      ['createIntegrationConnection'],
      only(/\0.*/u),
    ),
    'left-behind': appliesThenRefuses(
      'Refuses a dot only after it creates the VPC',
      ['createVpc'],
      only(/\./u),
      mended,
    ),
  },

  'naming.name.required': {
    '': takes(
      'Generates a name for a function without one',
      ['createFunction'],
      ({ metadata }) => metadata['name'] === undefined,
    ),
    empty: takes(
      'Generates a name for a connection with an empty one',
      ['createIntegrationConnection'],
      ({ metadata }) => metadata['name'] === '',
    ),
    number: takes(
      'Accepts a number as the name of a VPC',
      ['createVpc'],
      ({ metadata }) => typeof metadata['name'] === 'number',
    ),
    null: takes(
      'Generates a name for a VPC whose name is null',
      ['createVpc'],
      ({ metadata }) => metadata['name'] === null,
    ),
    'null-connection': takes(
      'Generates a name for a connection whose name is null',
      ['createIntegrationConnection'],
      ({ metadata }) => metadata['name'] === null,
    ),
    true: takes('Accepts true as the name of a VPC', ['createVpc'], ({ metadata }) => metadata['name'] === true),
    list: takes(
      'Accepts a list of one string as the name of a function',
      ['createFunction'],
      ({ metadata: { name: names } }) => Array.isArray(names) && names.length === 1 && typeof names[0] === 'string',
    ),
    false: takes('Generates a name if it is false', creates, ({ metadata }) => metadata['name'] === false),
    'left-behind': appliesThenRefuses(
      'Refuses a connection without a name only after it creates one',
      ['createIntegrationConnection'],
      ({ metadata }) => metadata['name'] === undefined,
      mended,
    ),
  },
});
