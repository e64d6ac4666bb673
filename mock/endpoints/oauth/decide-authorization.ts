/** Handles the form of the login page: the authorization request again, with the decision. */
import type { Endpoint } from '../endpoint.ts';
import { handleAuthorization } from '../../domains/oauth/handle-authorization.ts';
import { forPerson } from '../../domains/oauth/login-page.ts';
import { fromBody } from '../../domains/oauth/parameters.ts';
import { serviceServer } from '../../domains/oauth/service-server.ts';

export const decideAuthorization: Endpoint<'decideAuthorization'> = ({ world, body, headers }) =>
  forPerson(headers.accept, () =>
    handleAuthorization(serviceServer(world), new URLSearchParams([...fromBody(body)]), 303),
  );
