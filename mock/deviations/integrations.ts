/** Deviations of integrations and connections to them. */
import { stateful, onSuccess, type Fault } from './deviation.ts';
import type { Table } from './table.ts';
import type { Integration } from '../../spec/generated/types.ts';
import type { JsonObject } from '../../spec/json-object.ts';
import { accepts, after, isAccepted, isFromApiKey, appliesThenRefuses, refuses, textOf } from './writes.ts';
import type { Sent } from './writes.ts';
import { isObject } from '../../spec/json-object.ts';

const reads = ['getIntegration'] as const;
const creates = ['createIntegrationConnection'] as const;
const KEYS = ['CLIENT_ID', 'CLIENT_SECRET', 'REFRESH_TOKEN'];

const sentSecret = ({ spec }: Sent): unknown => (spec as JsonObject | undefined)?.['secret'];
const secretOf = (sent: Sent): JsonObject => {
  const secret = sentSecret(sent);
  return isObject(secret) ? secret : {};
};
const integrationOf = ({ spec }: Sent): unknown => (spec as JsonObject | undefined)?.['integration'];
const isMail = (sent: Sent): boolean => integrationOf(sent) === 'google-mail';
const missing = (sent: Sent): string[] => KEYS.filter((key) => secretOf(sent)[key] === undefined);
const odd = (sent: Sent): string[] =>
  Object.keys(secretOf(sent)).filter((key) => typeof secretOf(sent)[key] !== 'string');

/** With every key that the mail integration requires, and string values. */
function mended(sent: Sent): JsonObject {
  const all = Object.fromEntries([...KEYS, ...Object.keys(secretOf(sent))].map((key) => [key, 'mended']));
  return { ...sent, spec: { ...(sent.spec as object), secret: all } };
}

const takes = (concerns: (sent: Sent) => boolean): Fault => accepts(creates, concerns, mended);

export const integrationsDeviations: Table = {
  'integrations.get.provider-shape': {
    'returns isBl of repositories as a string': onSuccess(reads, ({ repositories = [], ...info }: Integration) => ({
      ...info,
      repositories: repositories.map((each) => ({ ...each, isBl: String(each.isBl) })),
    })),
    'returns organizations by name': onSuccess(reads, ({ organizations = [], ...info }: Integration) => ({
      ...info,
      organizations: Object.fromEntries(organizations.map((each) => [each.name, each])),
    })),
    'returns all organizations but the first as numbers': onSuccess(
      reads,
      ({ organizations = [], ...info }: Integration) => ({
        ...info,
        organizations: organizations.map((each, index) => (index === 0 ? each : { ...each, id: index })),
      }),
    ),
    'returns the params of the mail integration as a query': onSuccess(reads, (info: Integration) =>
      info.name === 'google-mail' ? { ...info, params: 'access_type=offline' } : info,
    ),
    'returns github for every integration': onSuccess(reads, (info: Integration) => ({
      ...info,
      name: 'github',
    })),
    'returns a list of one integration': onSuccess(reads, (info: Integration) => [info]),
    'returns 203 to API keys': after(reads, (_, ctx) => {
      if (isAccepted(ctx) && isFromApiKey(ctx) && ctx.state.reply)
        ctx.state.reply = { ...ctx.state.reply, status: 203 };
    }),
  },

  'integrations.connections.create-succeeds': {
    'refuses connections of the mail integration': refuses(creates, isMail),
    'returns 303 for a new connection': after(creates, (_, ctx) => {
      if (isAccepted(ctx)) ctx.state.reply = { status: 303, body: '' };
    }),
    'refuses mail connections after the fifth unless they omit the secret': stateful(() => {
      let made = 0;
      return refuses(
        creates,
        (sent) =>
          isMail(sent) && !/^(not-a-real|mail-client$)/.test(textOf(secretOf(sent)['CLIENT_ID'])) && (made += 1) > 5,
      );
    }),
  },

  'integrations.connections.secret-rules': {
    'accepts a connection without a refresh token': takes(
      (sent) => isMail(sent) && missing(sent).join() === 'REFRESH_TOKEN',
    ),
    'accepts a refresh token without a client': takes(
      (sent) => isMail(sent) && missing(sent).join() === 'CLIENT_ID,CLIENT_SECRET',
    ),
    'accepts three keys of any name': takes(
      (sent) => isMail(sent) && missing(sent).length === 1 && Object.keys(secretOf(sent)).length === KEYS.length,
    ),
    'accepts an empty secret': takes(
      (sent) => isMail(sent) && missing(sent).length === 3 && Object.keys(secretOf(sent)).length === 0,
    ),
    'accepts a mail connection without a secret': takes((sent) => isMail(sent) && sentSecret(sent) === undefined),
    'accepts a list as secret': takes((sent) => isMail(sent) && Array.isArray(sentSecret(sent))),
    'accepts a string as secret': takes((sent) => isMail(sent) && typeof sentSecret(sent) === 'string'),
    'accepts client_id as CLIENT_ID': takes(
      (sent) => missing(sent).join() === 'CLIENT_ID' && secretOf(sent)['client_id'] !== undefined,
    ),
    'accepts a number as client id': takes(
      (sent) => odd(sent).join() === 'CLIENT_ID' && typeof secretOf(sent)['CLIENT_ID'] === 'number',
    ),
    'accepts a list as refresh token': takes(
      (sent) => odd(sent).join() === 'REFRESH_TOKEN' && Array.isArray(secretOf(sent)['REFRESH_TOKEN']),
    ),
    'accepts null as client secret': takes(
      (sent) => odd(sent).join() === 'CLIENT_SECRET' && secretOf(sent)['CLIENT_SECRET'] === null,
    ),
    'accepts any value under an additional key': takes((sent) => isMail(sent) && odd(sent).join() === 'OTHER'),
    'accepts any secret for another integration': takes((sent) => !isMail(sent) && odd(sent).length > 0),
    'refuses a connection without a client secret only after it creates the connection': appliesThenRefuses(
      creates,
      (sent) => isMail(sent) && missing(sent).join() === 'CLIENT_SECRET',
      mended,
    ),
  },
};
