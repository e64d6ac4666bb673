/** Deviations of which names are accepted. */
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import {
  accepts,
  appliesThenRefuses,
  changesResponse,
  isFromApiKey,
  refuses,
  textOf,
  withMetadata,
} from '../writes.ts';
import type { AppliesTo, Sent } from '../writes.ts';

const vpc: readonly OperationId[] = ['createVpc'];
const connection: readonly OperationId[] = ['createIntegrationConnection'];
const fun: readonly OperationId[] = ['createFunction'];
const creates = [...vpc, ...connection, ...fun];

/** By the name; anything but a string is empty. */
const name =
  (holds: (name: string) => boolean): AppliesTo =>
  ({ metadata }) =>
    holds(textOf(metadata['name']));
/** By the value of the member. */
const value =
  (holds: (value: unknown) => boolean): AppliesTo =>
  ({ metadata }) =>
    holds(metadata['name']);
const is = (expected: unknown): AppliesTo => value((sent) => sent === expected);
const isSomeList = (sent: unknown): boolean => Array.isArray(sent) && sent.length === 1 && typeof sent[0] === 'string';
const both =
  (one: AppliesTo, other: AppliesTo): AppliesTo =>
  (sent, ctx) =>
    one(sent, ctx) && other(sent, ctx);
const byApiKey: AppliesTo = (_, ctx) => isFromApiKey(ctx);
const labelled: AppliesTo = ({ metadata }) => metadata['labels'] !== undefined;
const unlabelled: AppliesTo = ({ metadata }) => metadata['labels'] === undefined;

/** Turns an invalid name into a valid one: removes invalid characters and truncates it. */
const mended = (sent: Sent) => {
  const letters = JSON.stringify(sent.metadata['name'] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '');
  return withMetadata(sent, { name: letters.slice(0, 49) || `unnamed-${Math.abs(hash(JSON.stringify(sent)))}` });
};

const hash = (text: string): number => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);

const takes = (ids: readonly OperationId[], concerns: AppliesTo): Fault => accepts(ids, concerns, mended);
const late = (ids: readonly OperationId[], concerns: AppliesTo): Fault => appliesThenRefuses(ids, concerns, mended);

/** Names whose only mistake is such a character. */
const only = (pattern: RegExp): AppliesTo =>
  name((text) => pattern.test(text) && /^[a-z0-9-]{1,49}$/.test(text.replaceAll(new RegExp(pattern, 'gu'), '')));

/** Whether a resource of any type exists whose name has the same first 40 characters. */
const isSimilar: AppliesTo = ({ metadata }, { state: { world } }) => {
  const sent = textOf(metadata['name']);
  const names = [...world.resources.values()].flatMap((each) => [...each.keys()]);
  return names.some((existing) => existing !== sent && existing.slice(0, 40) === sent.slice(0, 40));
};

const long = (from: number, to = Infinity): AppliesTo => name(({ length }) => length >= from && length <= to);

export const namesDeviations: Table = {
  'naming.name.valid-accepted': {
    'refuses a function whose name ends in a digit': refuses(
      fun,
      name((text) => /-\d+$/.test(text)),
    ),
    'refuses a function without labels': refuses(fun, unlabelled),
    'returns 409 for names that end in a hyphen and digits': refuses(
      vpc,
      name((text) => /-\d+$/.test(text)),
      409,
    ),
    'refuses a VPC with the letter q in its name': refuses(
      vpc,
      name((text) => text.includes('q') && text.length < 49),
    ),
    'refuses a connection with more than six hyphens in its name': refuses(
      connection,
      name((text) => text.split('-').length > 7),
    ),
    ...Object.fromEntries(
      creates.map((id) => [`compares the first 40 characters of names at ${id}`, refuses([id], isSimilar, 409)]),
    ),
    'returns a VPC without the last part of its name': changesResponse(vpc, ({ metadata }) => {
      if (/-\d-\d$|-9$/.test(textOf(metadata['name']))) metadata['name'] = textOf(metadata['name']).slice(0, -2);
    }),
  },

  'naming.name.at-most-49': {
    'accepts a name of 50 characters from createFunction': takes(fun, long(50, 50)),
    'returns 409 for names of 45 or more characters': refuses(creates, long(45, 49), 409),
    'refuses a VPC with a name of 49 characters': refuses(vpc, long(49)),
    'refuses a connection with a name of 48 or 49 characters': refuses(connection, long(48)),
    'accepts a VPC name of any length if labels are sent': takes(vpc, both(labelled, long(50))),
    'accepts a connection name of up to 63 characters': takes(connection, long(50, 63)),
    'counts the characters of a VPC name modulo 256': takes(
      vpc,
      name(({ length }) => length % 256 <= 49),
    ),
    'accepts long names from API keys': takes(creates, both(byApiKey, long(50))),
    'refuses a name of 51 characters only after it creates the function': late(fun, long(51, 51)),
  },

  'naming.name.other-characters-rejected': {
    'accepts an underscore in a VPC name': takes(vpc, only(/_/u)),
    'lower-cases letters in a function name': takes(fun, only(/[A-Z]/u)),
    'accepts a line break at the end of a connection name': takes(connection, only(/\n$/u)),
    'accepts a tab in a name': takes(creates, only(/\t/u)),
    'accepts a slash in a function name': takes(fun, only(/\//u)),
    'accepts @ and : in a name': takes(creates, only(/[@:]/u)),
    'trims spaces at the end of a name': takes(creates, only(/ +$/u)),
    'accepts lower-case letters of any script': takes(connection, only(/(?![a-z])\p{Ll}/u)),
    'accepts digits of any script': takes(vpc, only(/(?!\d)\p{Nd}/u)),
    'normalizes full-width letters': takes(fun, only(/[\uff41-\uff5a]/u)),
    'removes zero-width characters': takes(creates, only(/\u200b|\u200d|\u00ad|\ufeff/u)),
    'truncates a connection name at a null character': takes(connection, only(/\0.*/u)),
    'refuses a dot only after it creates the VPC': late(vpc, only(/\./u)),
  },

  'naming.name.required': {
    'generates a name for a function without one': takes(fun, is(undefined)),
    'generates a name for a connection with an empty one': takes(connection, is('')),
    'accepts a number as the name of a VPC': takes(
      vpc,
      value((sent) => typeof sent === 'number'),
    ),
    'generates a name for a VPC whose name is null': takes(vpc, is(null)),
    'generates a name for a connection whose name is null': takes(connection, is(null)),
    'accepts true as the name of a VPC': takes(vpc, is(true)),
    'accepts a list of one string as the name of a function': takes(fun, value(isSomeList)),
    'generates a name if it is false': takes(creates, is(false)),
    'refuses a connection without a name only after it creates one': late(connection, is(undefined)),
  },
};
