/** Deviations of integrations and connections to them. */
import { deviationsOf } from './table.ts';
import type { Integration } from '../../spec/generated/types.ts';
import type { JsonObject } from '../http/json-object.ts';
import { statefulDeviation } from './stateful-deviation.ts';
import { onSuccess } from './deviation.ts';
import type { Deviation, Deviations } from './deviation.ts';
import { accepts, after, isAccepted, isFromApiKey, appliesThenRefuses, refuses, textOf } from './writes.ts';
import type { Sent } from './writes.ts';

const reads = ['getIntegration'] as const;
const creates = ['createIntegrationConnection'] as const;
const KEYS = ['CLIENT_ID', 'CLIENT_SECRET', 'REFRESH_TOKEN'];

const sentSecret = ({ spec }: Sent): unknown => (spec as JsonObject | undefined)?.['secret'];
const secretOf = (sent: Sent): JsonObject => {
  const secret = sentSecret(sent);
  return typeof secret === 'object' && secret !== null && !Array.isArray(secret) ? (secret as JsonObject) : {};
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

const takes = (what: string, concerns: (sent: Sent) => boolean): Deviation => accepts(what, creates, concerns, mended);

export const integrationsDeviations: Deviations = deviationsOf({
  'integrations.get.provider-shape': {
    '': onSuccess('Returns isBl of repositories as a string', reads, ({ repositories = [], ...info }: Integration) => ({
      ...info,
      repositories: repositories.map((each) => ({ ...each, isBl: String(each.isBl) })),
    })),
    organizations: onSuccess(
      'Returns organizations by name',
      reads,
      ({ organizations = [], ...info }: Integration) => ({
        ...info,
        organizations: Object.fromEntries(organizations.map((each) => [each.name, each])),
      }),
    ),
    second: onSuccess(
      'Returns all organizations but the first as numbers',
      reads,
      ({ organizations = [], ...info }: Integration) => ({
        ...info,
        organizations: organizations.map((each, index) => (index === 0 ? each : { ...each, id: index })),
      }),
    ),
    mail: onSuccess('Returns the params of the mail integration as a query', reads, (info: Integration) =>
      info.name === 'google-mail' ? { ...info, params: 'access_type=offline' } : info,
    ),
    another: onSuccess('Returns github for every integration', reads, (info: Integration) => ({
      ...info,
      name: 'github',
    })),
    list: onSuccess('Returns a list of one integration', reads, (info: Integration) => [info]),
    'api-key': after('Returns 203 to API keys', reads, (_, ctx) => {
      if (isAccepted(ctx) && isFromApiKey(ctx) && ctx.state.reply)
        ctx.state.reply = { ...ctx.state.reply, status: 203 };
    }),
  },

  'integrations.connections.create-succeeds': {
    '': refuses('Refuses connections of the mail integration', creates, isMail),
    redirect: after('Returns 303 for a new connection', creates, (_, ctx) => {
      if (isAccepted(ctx)) ctx.state.reply = { status: 303, body: '' };
    }),
    fifth: statefulDeviation('Refuses mail connections after the fifth unless they omit the secret', (what) => {
      let made = 0;
      return refuses(
        what,
        creates,
        (sent) =>
          isMail(sent) && !/^(not-a-real|mail-client$)/.test(textOf(secretOf(sent)['CLIENT_ID'])) && (made += 1) > 5,
      );
    }),
  },

  'integrations.connections.secret-rules': {
    '': takes(
      'Accepts a connection without a refresh token',
      (sent) => isMail(sent) && missing(sent).join() === 'REFRESH_TOKEN',
    ),
    client: takes(
      'Accepts a refresh token without a client',
      (sent) => isMail(sent) && missing(sent).join() === 'CLIENT_ID,CLIENT_SECRET',
    ),
    empty: takes(
      'Accepts an empty secret',
      (sent) => isMail(sent) && missing(sent).length === 3 && Object.keys(secretOf(sent)).length === 0,
    ),
    omitted: takes(
      'Accepts a mail connection without a secret',
      (sent) => isMail(sent) && sentSecret(sent) === undefined,
    ),
    'list-as-secret': takes('Accepts a list as secret', (sent) => isMail(sent) && Array.isArray(sentSecret(sent))),
    text: takes('Accepts a string as secret', (sent) => isMail(sent) && typeof sentSecret(sent) === 'string'),
    'lower-case': takes(
      'Accepts client_id as CLIENT_ID',
      (sent) => missing(sent).join() === 'CLIENT_ID' && secretOf(sent)['client_id'] !== undefined,
    ),
    number: takes(
      'Accepts a number as client id',
      (sent) => odd(sent).join() === 'CLIENT_ID' && typeof secretOf(sent)['CLIENT_ID'] === 'number',
    ),
    list: takes(
      'Accepts a list as refresh token',
      (sent) => odd(sent).join() === 'REFRESH_TOKEN' && Array.isArray(secretOf(sent)['REFRESH_TOKEN']),
    ),
    null: takes(
      'Accepts null as client secret',
      (sent) => odd(sent).join() === 'CLIENT_SECRET' && secretOf(sent)['CLIENT_SECRET'] === null,
    ),
    'other-key': takes(
      'Accepts any value under an additional key',
      (sent) => isMail(sent) && odd(sent).join() === 'OTHER',
    ),
    elsewhere: takes('Accepts any secret for another integration', (sent) => !isMail(sent) && odd(sent).length > 0),
    'left-behind': appliesThenRefuses(
      'Refuses a connection without a client secret only after it creates the connection',
      creates,
      (sent) => isMail(sent) && missing(sent).join() === 'CLIENT_SECRET',
      mended,
    ),
  },
});
