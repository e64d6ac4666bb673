/** An authorization code for a client: a page asks a person, unless the request says who decides what. */
import type { Endpoint } from '../endpoint.ts';
import { answerAuthorization } from '../../domains/oauth/answer-authorization.ts';
import { forPerson } from '../../domains/oauth/login-page.ts';
import { serviceOf } from '../../domains/oauth/service.ts';

export const authorize: Endpoint<'authorize'> = ({ world, query, headers }) =>
  forPerson(headers.accept, () => answerAuthorization(serviceOf(world), query, 302));
