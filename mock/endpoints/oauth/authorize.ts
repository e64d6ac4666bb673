/** Issues an authorization code: shows a login page, unless the request already contains the decision. */
import type { Endpoint } from '../endpoint.ts';
import { handleAuthorization } from '../../domains/oauth/handle-authorization.ts';
import { forPerson } from '../../domains/oauth/login-page.ts';
import { requestedHost } from '../../state/requested-address.ts';
import { serviceServer } from '../../domains/oauth/service-server.ts';

export const authorize: Endpoint<'authorize'> = (call) =>
  forPerson(call.headers.accept, () =>
    handleAuthorization(serviceServer(call.world, requestedHost(call)), call.query, 302),
  );
