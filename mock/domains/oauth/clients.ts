/** Reads the OAuth clients of a world file. */
import type { ClientFile, ThirdPartyClientFile } from '../../../spec/formats/world-file.ts';
import { WorldFileError } from '../../state/world-file-error.ts';
import type { Client } from '../../state/oauth.ts';

/** Schemes that a browser executes. */
const RUN_BY_BROWSERS: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'blob:']);

/** `unlessNamed`: the default scopes. `secretOf` replaces the secrets. Throws a WorldFileError for an invalid redirection URI. */
export function clientsOf(
  files: readonly (ClientFile | ThirdPartyClientFile)[],
  where: string,
  unlessNamed: readonly string[],
  secretOf?: (client: string) => string,
): Map<string, Client> {
  const clients = new Map<string, Client>();
  for (const { id, name = id, redirectUris = [], scopes = unlessNamed, ...rest } of files) {
    if (clients.has(id)) throw new WorldFileError(`${where} names "${id}" twice; allowed: once.`);
    for (const uri of redirectUris) checkRedirectUri(uri, `${where} "${id}"`);
    const secret = rest.secret !== undefined && secretOf !== undefined && { secret: secretOf(id) };
    clients.set(id, { id, name, redirectUris, scopes, ...rest, ...secret });
  }
  return clients;
}

/** RFC 6749 3.1.2: absolute, and without a fragment. */
export function isRedirectUri(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && /^[\x21-\x7e]+$/.test(uri) && !uri.includes('#') && !RUN_BY_BROWSERS.has(url.protocol);
}

function checkRedirectUri(uri: string, where: string): void {
  if (!isRedirectUri(uri))
    throw new WorldFileError(
      `${where}: redirectUris has "${uri}"; allowed: an absolute URI without fragment, such as http://127.0.0.1:8765/callback.`,
    );
}
