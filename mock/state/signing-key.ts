/** The Ed25519 key that signs a world's tokens. Derived from the seed, so that equal worlds have equal tokens, and from a secret if there is one. */
import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

export interface SigningKey {
  /** The `kid` of the tokens' header. */
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: JsonWebKey;
}

// RFC 8410: the DER of a PKCS #8 Ed25519 private key, up to its 32 bytes.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Kept, because the worlds of a mock usually have the same seed, and deriving a key takes a tenth of the time to build a world. */
let last: { readonly seed: number; readonly mockSecret: string; readonly key: SigningKey } | undefined;

export function deriveSigningKey(seed: number, mockSecret = ''): SigningKey {
  if (last?.seed !== seed || last.mockSecret !== mockSecret) last = { seed, mockSecret, key: derive(seed, mockSecret) };
  return last.key;
}

function derive(seed: number, mockSecret: string): SigningKey {
  const secret = createHash('sha256').update(`assay signing key ${seed}${mockSecret}`).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' });
  return { id: `mock-${seed}`, privateKey, publicJwk: createPublicKey(privateKey).export({ format: 'jwk' }) };
}
