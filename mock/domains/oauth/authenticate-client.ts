/** Authenticates a client by HTTP Basic, by the body, or by its id if it is public (RFC 6749 2.3.1). */
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from '../../state/oauth.ts';
import type { Parameters } from './parameters.ts';
import { invalidClient, invalidRequest } from './oauth-problems.ts';

export const authenticationMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;

interface Claim {
  readonly id: string;
  readonly secret: string | undefined;
}

/** Throws invalid_client; invalid_request if two methods are used at once. */
export function authenticateClient(
  { clients }: AuthorizationServer,
  header: string | undefined,
  parameters: Parameters,
): Client {
  const byHeader = header !== undefined;
  const { id, secret } = byHeader ? claimOfHeader(header, parameters) : claimOfBody(parameters);
  const client = clients.get(id);
  // One message for both, so that it does not reveal which clients exist.
  if (client === undefined || client.secret !== secret)
    throw invalidClient('The client is unknown, or its secret is wrong or missing.', byHeader);
  return client;
}

function claimOfBody(parameters: Parameters): Claim {
  const id = parameters.get('client_id');
  if (id === undefined)
    throw invalidClient('No client. Send HTTP Basic, or client_id and client_secret in the body.', false);
  return { id, secret: parameters.get('client_secret') };
}

function claimOfHeader(header: string, parameters: Parameters): Claim {
  const basic = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(header)?.[1];
  if (basic === undefined) throw invalidClient('The Authorization header is not HTTP Basic.', true);
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? [];
  if (id === undefined || secret === undefined)
    throw invalidClient('The HTTP Basic credentials do not contain id and secret.', true);
  const claim = { id: formDecoded(id), secret: secret === '' ? undefined : formDecoded(secret) };
  if (parameters.has('client_secret'))
    throw invalidRequest('The client authenticates twice, by header and by body; use one of them.');
  if ((parameters.get('client_id') ?? claim.id) !== claim.id)
    throw invalidRequest('client_id is not the client of the Authorization header.');
  return claim;
}

/** RFC 6749 2.3.1 requires form encoding. A value that cannot be decoded was sent without it. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
