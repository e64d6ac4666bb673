/** The public key of a world's tokens (RFC 7517 5). */
import type { KeySet } from '../../../spec/generated/types.ts';
import type { SigningKey } from '../../state/signing-key.ts';

export function keySetOf({ id, publicJwk }: SigningKey): KeySet {
  return { keys: [{ ...publicJwk, kid: id, use: 'sig', alg: 'EdDSA' }] };
}
