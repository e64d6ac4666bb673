/** Deviations of display names. */
import type { Table } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
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
const shows = (ids: readonly OperationId[], edit: (text: string) => unknown) =>
  changesResponse(ids, ({ metadata }) => {
    if (metadata['displayName'] !== undefined) metadata['displayName'] = edit(textOf(metadata['displayName']));
  });

const collapse = (text: string): string => text.replaceAll(/ +/g, ' ');

export const displayNamesDeviations: Table = {
  'naming.display-name.up-to-63-accepted': {
    'refuses a function with a displayName of 63 characters': refuses(['createFunction'], isLonger(63)),
    'refuses a connection with a space in its displayName': refuses(['createIntegrationConnection'], (sent) =>
      displayName(sent).includes(' '),
    ),

    'returns 409 for a VPC whose displayName has 51 or more characters': refuses(['createVpc'], isLonger(51), 409),
    'refuses an agent with a displayName of 62 or more characters': refuses(['updateAgent'], isLonger(62)),
    'refuses a VPC with a backtick in its displayName': refuses(['createVpc'], (sent) =>
      displayName(sent).includes('`'),
    ),
    'escapes the displayName of an agent as HTML': shows(['updateAgent'], (text) => text.replaceAll('&', '&amp;')),
    'decodes percent-encoding in the displayName of an agent': shows(['updateAgent'], (text) =>
      text.replaceAll(/%([2-7][0-9A-F])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
    'truncates the displayName of an agent to 63 bytes': shows(['updateAgent'], (text) =>
      Buffer.from(text).subarray(0, 63).toString(),
    ),
    'removes invisible characters from the displayName of an agent': shows(['updateAgent'], (text) =>
      text.replaceAll(/\p{Cf}/gu, ''),
    ),
    'returns no-break spaces in the displayName of a VPC as spaces': shows(['createVpc'], (text) =>
      text.replaceAll('\u00a0', ' '),
    ),
    "returns ? for non-ASCII characters of a connection's displayName": shows(['createIntegrationConnection'], (text) =>
      text.replaceAll(/[^\u0020-\u007e]/gu, '?'),
    ),
    "returns a VPC's displayName of digits as a number": shows(['createVpc'], (text) =>
      /^\d+$/.test(text) ? Number(text) : text,
    ),
    "stores an agent's displayName in lower case": storesInstead(['updateAgent'], (resource, sent) => ({
      ...resource,
      metadata: { ...resource.metadata, displayName: displayName(sent).toLowerCase() },
    })),
  },

  'naming.texts.repeated-spaces-unchanged': {
    'returns single spaces in a displayName': shows(writes, collapse),
    "stores a VPC's displayName with single spaces": storesInstead(['createVpc'], (resource, sent) => ({
      ...resource,
      metadata: { ...resource.metadata, displayName: collapse(displayName(sent)) },
    })),
    'returns single spaces in labels': changesResponse(writes, ({ metadata }) => {
      const labels = metadata['labels'];
      if (isObject(labels))
        metadata['labels'] = Object.fromEntries(
          Object.entries(labels).map(([key, value]) => [key, collapse(textOf(value))]),
        );
    }),
    'returns single spaces in variables': changesUpdateResponse(({ spec }) => {
      for (const env of spec.runtime?.envs ?? []) if (env.value !== undefined) env.value = collapse(env.value);
    }),
  },

  'naming.display-name.over-63-rejected': {
    "accepts an agent's displayName of 64 characters": accepts(['updateAgent'], isLonger(64, 64), shortened),
    'accepts any displayName of a connection': accepts(['createIntegrationConnection'], isLonger(64), shortened),
    "accepts a VPC's displayName of 128 or more characters": accepts(['createVpc'], isLonger(128), shortened),
    'accepts long displayNames from API keys': accepts(
      writes,
      (sent, ctx) => isFromApiKey(ctx) && isLonger(64)(sent, ctx),
      shortened,
    ),
    'accepts any displayName of an mk3 agent': accepts(
      ['updateAgent'],
      (sent, ctx) => isOfMk3(sent) && isLonger(64)(sent, ctx),
      shortened,
    ),
    "refuses a function's displayName of 64 characters only after it creates the function": appliesThenRefuses(
      ['createFunction'],
      isLonger(64, 64),
      shortened,
    ),
    "stores an agent's displayName of more than 80 characters but refuses it": after(['updateAgent'], (sent, ctx) => {
      if (isLonger(81)(sent, ctx)) keep(ctx, sent);
    }),
  },
};

function keep(ctx: Context, sent: Sent): void {
  if (ctx.state.reply?.status !== 400 || ctx.state.workspace === undefined) return;
  change(ctx, nameOf(ctx, sent), (resource) => ({
    ...resource,
    metadata: { ...resource.metadata, displayName: displayName(sent) },
  }));
}
