/** Secrets of a mail connection that the mock's identity provider accepts, for the target file. */
import type { Client } from '../state/oauth.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import type { World } from './world.ts';

const TEN_YEARS_MS = 10 * 365 * 86_400_000;
const TOKEN = 'refresh-of-the-target-file';

interface MailSecret {
  readonly CLIENT_ID: string;
  readonly CLIENT_SECRET: string;
  readonly REFRESH_TOKEN: string;
}

/** Of a provider without clients or users: it accepts no secret, and a connection is created nevertheless. */
const MADE_UP: MailSecret = {
  CLIENT_ID: 'demo-mail-client-id',
  CLIENT_SECRET: 'demo-mail-client-secret',
  REFRESH_TOKEN: 'demo-mail-refresh-token',
};

/** Grants the first client of the provider access for its first user. Throws a WorldFileError if secrets are verified and there is none. */
export function grantSample({ identityProvider, clock, verifyOnCreate }: World): void {
  const { users, state } = identityProvider;
  const client = confidentialClient(identityProvider.clients.values());
  const [subject] = users;
  if (client === undefined || subject === undefined) {
    if (verifyOnCreate)
      throw new WorldFileError('verifyOnCreate is true; identityProvider needs a user and a client with a secret.');
    return;
  }
  const grant = { id: 'grant-of-the-target-file', client: client.id, subject, scopes: client.scopes, offline: true };
  state.refreshTokens.set(TOKEN, { grant, expiresAt: clock.now() + TEN_YEARS_MS, used: false });
}

export function sampleSecrets({ identityProvider: { clients, state } }: World): MailSecret {
  const client = clients.get(state.refreshTokens.get(TOKEN)?.grant.client ?? '');
  if (client?.secret === undefined) return MADE_UP;
  return { CLIENT_ID: client.id, CLIENT_SECRET: client.secret, REFRESH_TOKEN: TOKEN };
}

function confidentialClient(clients: Iterable<Client>): Client | undefined {
  return [...clients].find(({ secret }) => secret !== undefined);
}
