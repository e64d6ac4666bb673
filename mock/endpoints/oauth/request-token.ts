/** Exchanges a code, client credentials or a refresh token for an access token. */
import type { Endpoint } from '../endpoint.ts';
import { handleTokenRequest } from '../../domains/oauth/handle-token-request.ts';
import { fromBody } from '../../domains/oauth/parameters.ts';
import { serviceServer } from '../../domains/oauth/service-server.ts';

export const requestToken: Endpoint<'requestToken'> = ({ world, body, headers }) =>
  handleTokenRequest(serviceServer(world), headers.authorization, fromBody(body));
