/** An access token or a refresh token counts no longer. */
import type { Endpoint } from '../../endpoint.ts';
import { answerRevocation } from '../../oauth/answer-revocation.ts';
import { fromBody } from '../../oauth/parameters.ts';

export const revokeToken: Endpoint<'revokeToken'> = ({ world, body, headers }) =>
  answerRevocation(world, headers.authorization, fromBody(body));
