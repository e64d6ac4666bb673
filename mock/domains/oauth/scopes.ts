/** Which scopes a request gets. */
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from '../../state/oauth.ts';
import { invalidScope } from './oauth-problems.ts';

/** RFC 6749 3.3. */
const TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Throws invalid_scope; never gives less than what was asked for (oauth.scopes.never-exceeded-silently). */
export function scopesFor(
  server: AuthorizationServer,
  client: Client,
  requested: string | undefined,
): readonly string[] {
  if (requested === undefined && client.scopes.length === 0) throw invalidScope('scope is missing.');
  if (requested === undefined) return client.scopes;
  const scopes = namesIn(requested);
  for (const scope of scopes) {
    if (!isScope(server, scope)) throw invalidScope(`There is no scope '${scope}'.`);
    if (!mayRequest(server, client, scope))
      throw invalidScope(`The client may not ask for '${scope}'; allowed: ${client.scopes.join(' ')}.`);
  }
  return scopes;
}

/** Of a refresh: what was granted, or a part of it (RFC 6749 6). */
export function narrowScopes(granted: readonly string[], requested: string | undefined): readonly string[] {
  if (requested === undefined) return granted;
  const scopes = namesIn(requested);
  const exceeding = scopes.find((scope) => !granted.includes(scope));
  if (exceeding !== undefined) throw invalidScope(`'${exceeding}' was not granted; allowed: ${granted.join(' ')}.`);
  return scopes;
}

function namesIn(requested: string): string[] {
  const scopes = [...new Set(requested.split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0) throw invalidScope('scope names none.');
  return scopes;
}

function isScope({ scopes }: AuthorizationServer, scope: string): boolean {
  return scopes === undefined ? TOKEN.test(scope) : Object.hasOwn(scopes, scope);
}

/** Administrative access opens every operation, so whoever may have it may have less. */
function mayRequest({ scopes }: AuthorizationServer, client: Client, scope: string): boolean {
  return scopes === undefined || client.scopes.includes(scope) || client.scopes.includes('admin');
}
