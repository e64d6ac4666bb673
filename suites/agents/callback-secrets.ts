/** agents.triggers.callback-secret-is-the-servers: triggers that come with a secret or should get one, and whose it is. */
import * as fc from 'fast-check';
import type { Mismatch } from '../conforms.ts';
import { isAnswered2xx } from '../eventually.ts';
import { status } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import { cron, triggersIn } from './triggers.ts';

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

export function configuredWithSecret({ type, enabled, named, called, sent }: Drawn, index: number): object {
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

/** A read-only field that is sent may be refused. */
export function ownSecrets(exchange: Exchange, isSent: boolean): Mismatch[] {
  if (!isAnswered2xx(exchange)) return status(exchange, isSent ? 400 : 200);
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
  if (!exchange.answer.text.includes(CLIENTS_SECRET)) return [];
  return [{ expected: 'a callbackSecret of the server', actual: 'that of the client', exchange }];
}

const isSecret = (value: unknown): boolean => typeof value === 'string' && value !== '';
