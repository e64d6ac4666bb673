/** Returns the public keys of access tokens. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { keySetOf } from '../../domains/oauth/key-set.ts';

export const getKeySet: Endpoint<'getKeySet'> = ({ world }) => ok(keySetOf(world.signingKey));
