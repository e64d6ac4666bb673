/** agents.triggers.callback-secret-is-the-servers: triggers that come with a secret or should get one, and whose it is. */
import * as fc from 'fast-check';
import type { Mismatch } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import { cron, triggersIn } from './triggers.ts';
import type { Trigger } from './triggers.ts';

const CLIENTS_SECRET = 'assay-not-the-servers';

interface Drawn {
  readonly type: string;
  readonly enabled: boolean;
  /** Has an id. */
  readonly named: boolean;
  /** Names a callbackUrl, where it is asynchronous. */
  readonly called: boolean;
  /** Comes with a callbackSecret of the client. */
  readonly sent: boolean;
}

export const withSecret: fc.Arbitrary<Drawn> = fc.record({
  type: fc.constantFrom('http', 'http-async', 'cron'),
  enabled: fc.boolean(),
  named: fc.boolean(),
  called: fc.boolean(),
  sent: fc.boolean(),
});

export function configuredWithSecret({ type, enabled, named, called, sent }: Drawn, index: number) {
  const { configuration } = type === 'cron' ? cron('0 9 * * 1') : { configuration: { path: `/assay/${index}` } };
  return {
    ...(named && { id: `assay-${index}` }),
    type,
    enabled,
    configuration: {
      ...configuration,
      ...(type === 'http-async' && called && { callbackUrl: 'https://example.com/assay' }),
      ...(sent && { callbackSecret: `${CLIENTS_SECRET}-${index}` }),
    },
  };
}

/** One trigger that gets a secret of the server. */
export const called: Trigger = configuredWithSecret(
  { type: 'http-async', enabled: true, named: true, called: true, sent: false },
  0,
);

/** Sent as the client's own a text of the form of the server's, of which nothing but the form is known. */
export const sending = ({ configuration, ...trigger }: Trigger, callbackSecret: string): Trigger => ({
  ...trigger,
  configuration: { ...configuration, callbackSecret },
});

/** Hexadecimal digits stay such. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/\d/g, '7'],
  [/[a-f]/g, 'b'],
  [/[g-z]/g, 'k'],
  [/[A-F]/g, 'B'],
  [/[G-Z]/g, 'K'],
];

/** Each character behind the last underscore replaced by one of its kind. Undefined where none is shown, or it is masked. */
export function secretOfTheSameForm(exchange: Exchange): string | undefined {
  const secret = triggersIn(exchange)[0]?.configuration?.['callbackSecret'];
  if (!isSecret(secret)) return undefined;
  const begin = secret.lastIndexOf('_') + 1;
  const other = kinds.reduce((text, [kind, one]) => text.replaceAll(kind, one), secret.slice(begin));
  return other === secret.slice(begin) ? undefined : secret.slice(0, begin) + other;
}

/** A read-only field that is sent may be refused. */
export function ownSecrets(exchange: Exchange, isSent: boolean): Mismatch[] {
  if (!isSuccessful(exchange)) return status(exchange, isSent ? 400 : 200);
  const bare = triggersIn(exchange).filter(
    ({ type, configuration = {} }) =>
      type === 'http-async' && configuration['callbackUrl'] !== undefined && !isSecret(configuration['callbackSecret']),
  );
  return [
    ...notTheClients(exchange),
    ...(bare.length === 0 ? [] : [{ expected: 'a callbackSecret beside every callbackUrl', actual: 'none', exchange }]),
  ];
}

/** Wherever it is shown. */
export function notTheClients(exchange: Exchange): Mismatch[] {
  return exchange.answer.text.includes(CLIENTS_SECRET) ? [clients(exchange)] : [];
}

/** Only as a trigger's own: a refusal may quote what it refuses, and a short mask is part of other words. */
export function notTaken(exchange: Exchange, secret: string): Mismatch[] {
  const shown = triggersIn(exchange).map(({ configuration }) => configuration?.['callbackSecret']);
  return isSuccessful(exchange) && shown.includes(secret) ? [clients(exchange)] : [];
}

const clients = (exchange: Exchange): Mismatch => ({
  expected: 'a callbackSecret of the server',
  actual: 'that of the client',
  exchange,
});

const isSecret = (value: unknown): value is string => typeof value === 'string' && value !== '';
