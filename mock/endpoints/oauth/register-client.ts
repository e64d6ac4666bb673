/** Registers an OAuth client. */
import type { Endpoint } from '../endpoint.ts';
import { requireKnownOrigin } from '../../domains/mcp/origin.ts';
import { NO_STORE } from '../../domains/oauth/oauth-error.ts';
import { registerClient as register } from '../../domains/oauth/register-client.ts';

export const registerClient: Endpoint<'registerClient'> = (call) => {
  // The page of another origin could send the user to a redirection URI whose response it can read.
  requireKnownOrigin(call);
  return { status: 201, headers: NO_STORE, body: register(call.world, call.body) };
};
