/** Deviations of display names. */
import type { OperationId } from '../../../spec/generated/types.ts';
import { returns, type Effect, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import {
  accepts,
  after,
  appliesThenRefuses,
  change,
  isFromApiKey,
  isOfMk3,
  nameOf,
  refuses,
  storesInstead,
  textOf,
  withMetadata,
} from '../writes.ts';
import type { AppliesTo, Sent } from '../writes.ts';

const vpc: readonly OperationId[] = ['createVpc'];
const connection: readonly OperationId[] = ['createIntegrationConnection'];
const fun: readonly OperationId[] = ['createFunction'];
const agent: readonly OperationId[] = ['updateAgent'];
const writes = [...vpc, ...connection, ...fun, ...agent];

const displayName = ({ metadata }: Sent): string => textOf(metadata['displayName']);
const long =
  (from: number, to = Infinity): AppliesTo =>
  (sent) =>
    displayName(sent).length >= from && displayName(sent).length <= to;
const includes =
  (part: string): AppliesTo =>
  (sent) =>
    displayName(sent).includes(part);
const shortened = (sent: Sent) => withMetadata(sent, { displayName: displayName(sent).slice(0, 63) });
const takes = (ids: readonly OperationId[], concerns: AppliesTo): Fault => accepts(ids, concerns, shortened);

/** Modifies the returned displayName. */
const shows = (ids: readonly OperationId[], edit: (text: string) => unknown): Effect =>
  returns(ids, 'metadata.displayName', edit);
const stores = (ids: readonly OperationId[], edit: (text: string) => string): Fault =>
  storesInstead(ids, (resource, sent) => ({
    ...resource,
    metadata: { ...resource.metadata, displayName: edit(displayName(sent)) },
  }));

const collapse = (text: string): string => text.replaceAll(/ +/g, ' ');

export const displayNamesDeviations: Table = {
  'naming.display-name.up-to-63-accepted': {
    'refuses a function with a displayName of 63 characters': refuses(fun, long(63)),
    'refuses a connection with a space in its displayName': refuses(connection, includes(' ')),
    'returns 409 for a VPC whose displayName has 51 or more characters': refuses(vpc, long(51), 409),
    'refuses an agent with a displayName of 62 or more characters': refuses(agent, long(62)),
    'refuses a VPC with a backtick in its displayName': refuses(vpc, includes('`')),
    'escapes the displayName of an agent as HTML': shows(agent, (text) => text.replaceAll('&', '&amp;')),
    'decodes percent-encoding in the displayName of an agent': shows(agent, (text) =>
      text.replaceAll(/%([2-7][0-9A-F])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
    'truncates the displayName of an agent to 63 bytes': shows(agent, (text) =>
      Buffer.from(text).subarray(0, 63).toString(),
    ),
    'removes invisible characters from the displayName of an agent': shows(agent, (text) =>
      text.replaceAll(/\p{Cf}/gu, ''),
    ),
    'returns no-break spaces in the displayName of a VPC as spaces': shows(vpc, (text) =>
      text.replaceAll('\u00a0', ' '),
    ),
    "returns ? for non-ASCII characters of a connection's displayName": shows(connection, (text) =>
      text.replaceAll(/[^\u0020-\u007e]/gu, '?'),
    ),
    "returns a VPC's displayName of digits as a number": shows(vpc, (text) =>
      /^\d+$/.test(text) ? Number(text) : text,
    ),
    'returns 500 for an agent whose displayName has more than 63 bytes': refuses(
      agent,
      (sent) => Buffer.byteLength(displayName(sent)) > 63 && displayName(sent).length <= 63,
      500,
    ),
    "stores an agent's displayName in lower case": stores(agent, (text) => text.toLowerCase()),
  },

  'naming.texts.repeated-spaces-unchanged': {
    'returns single spaces in a displayName': shows(writes, collapse),
    'returns 500 for a VPC with repeated spaces in its displayName': refuses(vpc, includes('  '), 500),
    "stores a VPC's displayName with single spaces": stores(vpc, collapse),
    'returns single spaces in labels': returns(writes, 'metadata.labels', (labels: object) =>
      Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, collapse(textOf(value))])),
    ),
    'returns single spaces in variables': returns(agent, 'spec.runtime.envs[].value', collapse),
  },

  'naming.display-name.over-63-rejected': {
    "accepts an agent's displayName of 64 characters": takes(agent, long(64, 64)),
    'accepts any displayName of a connection': takes(connection, long(64)),
    "accepts a VPC's displayName of 128 or more characters": takes(vpc, long(128)),
    'accepts long displayNames from API keys': takes(writes, (sent, ctx) => isFromApiKey(ctx) && long(64)(sent, ctx)),
    'accepts any displayName of an mk3 agent': takes(agent, (sent, ctx) => isOfMk3(sent) && long(64)(sent, ctx)),
    "refuses a function's displayName of 64 characters only after it creates the function": appliesThenRefuses(
      fun,
      long(64, 64),
      shortened,
    ),
    "stores an agent's displayName of more than 80 characters but refuses it": after(agent, (sent, ctx) => {
      if (ctx.state.reply?.status !== 400 || ctx.state.workspace === undefined || !long(81)(sent, ctx)) return;
      change(ctx, nameOf(ctx, sent), (resource) => ({
        ...resource,
        metadata: { ...resource.metadata, displayName: displayName(sent) },
      }));
    }),
  },
};
