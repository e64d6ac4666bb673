/** Faults in which names are taken. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Deviations } from '../deviation.ts';
import { accepts, answers, isFromApiKey, leavesBehind, refuses, textOf, withMetadata } from '../writes.ts';
import type { Concerns, Sent } from '../writes.ts';

const creates: readonly OperationId[] = ['createVpc', 'createIntegrationConnection', 'createFunction'];

const name = ({ metadata }: Sent): string => textOf(metadata['name']);

/** Makes a name of what is none: what is wrong with it left out, and cut. */
const mended = (sent: Sent) => {
  const letters = JSON.stringify(sent.metadata['name'] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '');
  return withMetadata(sent, { name: letters.slice(0, 49) || `unnamed-${Math.abs(hash(JSON.stringify(sent)))}` });
};

const hash = (text: string): number => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);

const takes = (what: string, ids: readonly OperationId[], concerns: Concerns) => accepts(what, ids, concerns, mended);

/** Names that have such a character, and nothing else that is wrong with them. */
const only =
  (pattern: RegExp): Concerns =>
  (sent) =>
    pattern.test(name(sent)) && /^[a-z0-9-]{1,49}$/.test(name(sent).replaceAll(new RegExp(pattern, 'gu'), ''));

const longer =
  (from: number, to = Infinity): Concerns =>
  (sent) =>
    name(sent).length >= from && name(sent).length <= to;

export const namesDeviations: Deviations = deviationsOf({
  'naming.name.valid-accepted': {
    '': refuses('refuses a function whose name ends in a digit', ['createFunction'], (sent) =>
      /-\d+$/.test(name(sent)),
    ),
    taken: refuses(
      'calls every name taken that ends in a hyphen and digits',
      ['createVpc'],
      (sent) => /-\d+$/.test(name(sent)),
      409,
    ),
    letter: refuses(
      'refuses a VPC with the letter q in its name',
      ['createVpc'],
      (sent) => name(sent).includes('q') && name(sent).length < 49,
    ),
    hyphens: refuses(
      'refuses a connection with more than six hyphens in its name',
      ['createIntegrationConnection'],
      (sent) => name(sent).split('-').length > 7,
    ),
    shown: answers('answers a VPC with the last part of its name cut off', ['createVpc'], ({ metadata }) => {
      if (/-\d-\d$|-9$/.test(textOf(metadata['name']))) metadata['name'] = textOf(metadata['name']).slice(0, -2);
    }),
  },

  'naming.name.at-most-49': {
    taken: refuses('calls every name of 45 or more characters taken', creates, longer(45, 49), 409),
    '': takes('accepts a name of 50 characters from createFunction', ['createFunction'], longer(50, 50)),
    inside: refuses('refuses a VPC with a name of 49 characters', ['createVpc'], longer(49)),
    'inside-connection': refuses(
      'refuses a connection with a name of 48 or 49 characters',
      ['createIntegrationConnection'],
      longer(48),
    ),
    labelled: takes(
      'accepts a VPC’s name of any length where labels are there',
      ['createVpc'],
      (sent, ctx) => sent.metadata['labels'] !== undefined && longer(50)(sent, ctx),
    ),
    dns: takes('accepts a connection’s name of up to 63 characters', ['createIntegrationConnection'], longer(50, 63)),
    wraps: takes(
      'counts the characters of a VPC’s name in one byte',
      ['createVpc'],
      (sent) => name(sent).length % 256 <= 49,
    ),
    'api-key': takes(
      'accepts long names from callers with an API key',
      creates,
      (sent, ctx) => isFromApiKey(ctx) && longer(50)(sent, ctx),
    ),
    'left-behind': leavesBehind(
      'refuses a name of 51 characters only after the function is made under its beginning',
      ['createFunction'],
      longer(51, 51),
      mended,
    ),
  },

  'naming.name.other-characters-rejected': {
    '': takes('accepts an underscore in a VPC’s name', ['createVpc'], only(/_/u)),
    'upper-case': takes(
      'takes upper-case letters of a function’s name for lower-case ones',
      ['createFunction'],
      only(/[A-Z]/u),
    ),
    newline: takes(
      'accepts a line break at the end of a connection’s name',
      ['createIntegrationConnection'],
      only(/\n$/u),
    ),
    spaces: takes('cuts off spaces at the end of a name', creates, only(/ +$/u)),
    letters: takes(
      'accepts lower-case letters of any script',
      ['createIntegrationConnection'],
      only(/(?![a-z])\p{Ll}/u),
    ),
    digits: takes('accepts digits of any script', ['createVpc'], only(/(?!\d)\p{Nd}/u)),
    fullwidth: takes('takes full-width letters for plain ones', ['createFunction'], only(/[\uff41-\uff5a]/u)),
    invisible: takes('leaves out characters that take no room', creates, only(/\u200b|\u200d|\u00ad|\ufeff/u)),
    'null-character': takes(
      'reads a connection’s name up to a null character',
      ['createIntegrationConnection'],
      only(/\0.*/u),
    ),
    'left-behind': leavesBehind(
      'refuses a dot only after the VPC is made without it',
      ['createVpc'],
      only(/\./u),
      mended,
    ),
  },

  'naming.name.required': {
    '': takes(
      'makes up a name for a function without one',
      ['createFunction'],
      ({ metadata }) => metadata['name'] === undefined,
    ),
    empty: takes(
      'makes up a name for a connection whose name is empty',
      ['createIntegrationConnection'],
      ({ metadata }) => metadata['name'] === '',
    ),
    number: takes(
      'takes a number for the name of a VPC',
      ['createVpc'],
      ({ metadata }) => typeof metadata['name'] === 'number',
    ),
    null: takes(
      'makes up a name for a VPC whose name is null',
      ['createVpc'],
      ({ metadata }) => metadata['name'] === null,
    ),
    list: takes(
      'takes a list of one text for the name of a function',
      ['createFunction'],
      ({ metadata: { name: names } }) => Array.isArray(names) && names.length === 1 && typeof names[0] === 'string',
    ),
    false: takes('takes false for no name, and makes one up', creates, ({ metadata }) => metadata['name'] === false),
    'left-behind': leavesBehind(
      'refuses a connection without a name only after it is made under another',
      ['createIntegrationConnection'],
      ({ metadata }) => metadata['name'] === undefined,
      mended,
    ),
  },
});
