/** Revokes an access token or a refresh token. */
import type { Endpoint } from '../endpoint.ts';
import { handleRevocation } from '../../domains/oauth/handle-revocation.ts';
import { fromBody } from '../../domains/oauth/parameters.ts';

export const revokeToken: Endpoint<'revokeToken'> = ({ world, body, headers }) =>
  handleRevocation(world, headers.authorization, fromBody(body));
