/** Handles the form of the login page: the authorization request again, with the decision. */
import type { Endpoint } from '../endpoint.ts';
import { handleAuthorization } from '../../domains/oauth/handle-authorization.ts';
import { forPerson } from '../../domains/oauth/login-page.ts';
import { fromBody } from '../../domains/oauth/parameters.ts';
import { requestedHost } from '../../state/requested-address.ts';
import { serviceServer } from '../../domains/oauth/service-server.ts';

export const decideAuthorization: Endpoint<'decideAuthorization'> = (call) =>
  forPerson(call.headers.accept, () =>
    handleAuthorization(
      serviceServer(call.world, requestedHost(call)),
      new URLSearchParams([...fromBody(call.body)]),
      303,
    ),
  );
