/** Deviations of display names. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Deviations } from '../deviation.ts';
import { isObject } from '../../http/json-object.ts';
import { changesUpdateResponse } from '../agents/agent-updates.ts';
import {
  accepts,
  after,
  changesResponse,
  change,
  isFromApiKey,
  isOfMk3,
  storesInstead,
  appliesThenRefuses,
  nameOf,
  refuses,
  textOf,
  withMetadata,
} from '../writes.ts';
import type { AppliesTo, Sent } from '../writes.ts';

const writes: readonly OperationId[] = ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'];

const displayName = ({ metadata }: Sent): string => textOf(metadata['displayName']);
const isLonger =
  (from: number, to = Infinity): AppliesTo =>
  (sent) =>
    displayName(sent).length >= from && displayName(sent).length <= to;
const shortened = (sent: Sent) => withMetadata(sent, { displayName: displayName(sent).slice(0, 63) });

/** Modifies the returned displayName. */
const shows = (what: string, ids: readonly OperationId[], edit: (text: string) => unknown) =>
  changesResponse(what, ids, ({ metadata }) => {
    if (metadata['displayName'] !== undefined) metadata['displayName'] = edit(textOf(metadata['displayName']));
  });

const collapse = (text: string): string => text.replaceAll(/ +/g, ' ');

export const displayNamesDeviations: Deviations = deviationsOf({
  'naming.display-name.up-to-63-accepted': {
    words: refuses('Refuses a connection with a space in its displayName', ['createIntegrationConnection'], (sent) =>
      displayName(sent).includes(' '),
    ),
    '': refuses('Refuses a function with a displayName of 63 characters', ['createFunction'], isLonger(63)),
    taken: refuses(
      'Returns 409 for a VPC whose displayName has 51 or more characters',
      ['createVpc'],
      isLonger(51),
      409,
    ),
    agent: refuses('Refuses an agent with a displayName of 62 or more characters', ['updateAgent'], isLonger(62)),
    quote: refuses('Refuses a VPC with a backtick in its displayName', ['createVpc'], (sent) =>
      displayName(sent).includes('`'),
    ),
    escaped: shows('Escapes the displayName of an agent as HTML', ['updateAgent'], (text) =>
      text.replaceAll('&', '&amp;'),
    ),
    'percent-encoding': shows('Decodes percent-encoding in the displayName of an agent', ['updateAgent'], (text) =>
      text.replaceAll(/%([2-7][0-9A-F])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
    bytes: shows('Truncates the displayName of an agent to 63 bytes', ['updateAgent'], (text) =>
      Buffer.from(text).subarray(0, 63).toString(),
    ),
    invisible: shows('Removes invisible characters from the displayName of an agent', ['updateAgent'], (text) =>
      text.replaceAll(/\p{Cf}/gu, ''),
    ),
    'no-break': shows('Returns no-break spaces in the displayName of a VPC as spaces', ['createVpc'], (text) =>
      text.replaceAll('\u00a0', ' '),
    ),
    unicode: shows(
      "Returns ? for non-ASCII characters of a connection's displayName",
      ['createIntegrationConnection'],
      (text) => text.replaceAll(/[^\u0020-\u007e]/gu, '?'),
    ),
    number: shows("Returns a VPC's displayName of digits as a number", ['createVpc'], (text) =>
      /^\d+$/.test(text) ? Number(text) : text,
    ),
    kept: storesInstead("Stores an agent's displayName in lower case", ['updateAgent'], (resource, sent) => ({
      ...resource,
      metadata: { ...resource.metadata, displayName: displayName(sent).toLowerCase() },
    })),
  },

  'naming.texts.repeated-spaces-unchanged': {
    '': shows('Returns single spaces in a displayName', writes, collapse),
    stored: storesInstead("Stores a VPC's displayName with single spaces", ['createVpc'], (resource, sent) => ({
      ...resource,
      metadata: { ...resource.metadata, displayName: collapse(displayName(sent)) },
    })),
    labels: changesResponse('Returns single spaces in labels', writes, ({ metadata }) => {
      const labels = metadata['labels'];
      if (isObject(labels))
        metadata['labels'] = Object.fromEntries(
          Object.entries(labels).map(([key, value]) => [key, collapse(textOf(value))]),
        );
    }),
    variables: changesUpdateResponse('Returns single spaces in variables', ({ spec }) => {
      for (const env of spec.runtime?.envs ?? []) if (env.value !== undefined) env.value = collapse(env.value);
    }),
  },

  'naming.display-name.over-63-rejected': {
    '': accepts("Accepts an agent's displayName of 64 characters", ['updateAgent'], isLonger(64, 64), shortened),
    connection: accepts(
      'Accepts any displayName of a connection',
      ['createIntegrationConnection'],
      isLonger(64),
      shortened,
    ),
    long: accepts("Accepts a VPC's displayName of 128 or more characters", ['createVpc'], isLonger(128), shortened),
    'api-key': accepts(
      'Accepts long displayNames from API keys',
      writes,
      (sent, ctx) => isFromApiKey(ctx) && isLonger(64)(sent, ctx),
      shortened,
    ),
    mk3: accepts(
      'Accepts any displayName of an mk3 agent',
      ['updateAgent'],
      (sent, ctx) => isOfMk3(sent) && isLonger(64)(sent, ctx),
      shortened,
    ),
    'left-behind': appliesThenRefuses(
      "Refuses a function's displayName of 64 characters only after it creates the function",
      ['createFunction'],
      isLonger(64, 64),
      shortened,
    ),
    kept: after(
      "Stores an agent's displayName of more than 80 characters but refuses it",
      ['updateAgent'],
      (sent, ctx) => {
        if (isLonger(81)(sent, ctx)) keep(ctx, sent);
      },
    ),
  },
});

function keep(ctx: Context, sent: Sent): void {
  if (ctx.state.reply?.status !== 400 || ctx.state.workspace === undefined) return;
  change(ctx, nameOf(ctx, sent), (resource) => ({
    ...resource,
    metadata: { ...resource.metadata, displayName: displayName(sent) },
  }));
}
