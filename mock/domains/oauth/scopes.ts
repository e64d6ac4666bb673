/** Determines the scopes of a request. */
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from '../../state/oauth.ts';
import { invalidScope } from './oauth-problems.ts';

/** RFC 6749 3.3. */
const TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Throws invalid_scope; never grants fewer scopes than requested (oauth.scopes.never-exceeded-silently). */
export function scopesFor(
  server: AuthorizationServer,
  client: Client,
  requested: string | undefined,
): readonly string[] {
  if (requested === undefined && client.scopes.length === 0) throw invalidScope('scope is missing.');
  if (requested === undefined) return client.scopes;
  const scopes = scopesIn(requested);
  for (const scope of scopes) {
    if (!isScope(server, scope)) throw invalidScope(`Unknown scope '${scope}'.`);
    if (!mayRequest(server, client, scope))
      throw invalidScope(`The client may not request '${scope}'; allowed: ${client.scopes.join(' ')}.`);
  }
  return scopes;
}

/** The scopes of a refresh: the granted ones, or some of them (RFC 6749 6). */
export function narrowScopes(granted: readonly string[], requested: string | undefined): readonly string[] {
  if (requested === undefined) return granted;
  const scopes = scopesIn(requested);
  const exceeding = scopes.find((scope) => !granted.includes(scope));
  if (exceeding !== undefined) throw invalidScope(`'${exceeding}' was not granted; allowed: ${granted.join(' ')}.`);
  return scopes;
}

function scopesIn(requested: string): string[] {
  const scopes = [...new Set(requested.split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0) throw invalidScope('scope is empty.');
  return scopes;
}

function isScope({ scopes }: AuthorizationServer, scope: string): boolean {
  return scopes === undefined ? TOKEN.test(scope) : Object.hasOwn(scopes, scope);
}

/** The scope admin allows every operation, so it includes all scopes. */
function mayRequest({ scopes }: AuthorizationServer, client: Client, scope: string): boolean {
  return scopes === undefined || client.scopes.includes(scope) || client.scopes.includes('admin');
}
