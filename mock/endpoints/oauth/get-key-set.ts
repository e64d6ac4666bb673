/** The keys that access tokens are signed with. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { keySetOf } from '../../domains/oauth/key-set.ts';

export const getKeySet: Endpoint<'getKeySet'> = ({ world }) => ok(keySetOf(world.signingKey));
