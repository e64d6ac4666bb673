/** Exchanges a code, client credentials or a refresh token for an access token. */
import type { Endpoint } from '../endpoint.ts';
import { handleTokenRequest } from '../../domains/oauth/handle-token-request.ts';
import { fromBody } from '../../domains/oauth/parameters.ts';
import { requestedHost } from '../../state/requested-address.ts';
import { serviceServer } from '../../domains/oauth/service-server.ts';

export const requestToken: Endpoint<'requestToken'> = (call) =>
  handleTokenRequest(serviceServer(call.world, requestedHost(call)), call.headers.authorization, fromBody(call.body));
