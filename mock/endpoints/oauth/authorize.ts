/** An authorization code for a client: a page asks a person, unless the request says who decides what. */
import type { Endpoint } from '../../endpoint.ts';
import { answerAuthorization } from '../../oauth/answer-authorization.ts';
import { forPerson } from '../../oauth/login-page.ts';
import { serviceOf } from '../../oauth/service.ts';

export const authorize: Endpoint<'authorize'> = ({ world, query, headers }) =>
  forPerson(headers.accept, () => answerAuthorization(serviceOf(world), query, 302));
