/** The keys that access tokens are signed with. */
import { ok, type Endpoint } from '../endpoint.ts';
import { keySetOf } from '../../domains/oauth/key-set.ts';

export const getKeySet: Endpoint<'getKeySet'> = ({ world }) => ok(keySetOf(world.signingKey));
