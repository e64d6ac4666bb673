/** Keys that no target knows, with which forged tokens are signed, and their certificates. */
import { constants, generateKeyPairSync, sign } from 'node:crypto';
import type { JsonWebKey, KeyObject, SigningOptions } from 'node:crypto';

export interface OwnKey {
  /** The algorithm of its signatures (RFC 7518 section 3.1). */
  readonly alg: string;
  readonly jwk: JsonWebKey;
  /** Base64 of a self-signed certificate in DER, as in `x5c` (RFC 7515 section 4.1.6). */
  readonly certificate: string;
  /** The signature of a JWS in base64url. */
  sign(text: string): string;
}

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const ec = (namedCurve: string) => (): Pair => generateKeyPairSync('ec', { namedCurve });
const rsa = (): Pair => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = (): Pair => generateKeyPairSync('ed25519');

const generators: Readonly<Record<string, () => Pair>> = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: ec('P-256'),
  ES384: ec('P-384'),
  ES512: ec('P-521'),
  EdDSA: ed25519,
  Ed25519: ed25519,
};

const keys = new Map<string, OwnKey>();

/** For signatures with this algorithm, or with ES256 if it is symmetric or unknown. The same for each call. */
export function ownKeyFor(alg: unknown): OwnKey {
  const name = typeof alg === 'string' && Object.hasOwn(generators, alg) ? alg : 'ES256';
  const key = keys.get(name) ?? createKey(name);
  keys.set(name, key);
  return key;
}

function createKey(alg: string): OwnKey {
  const { publicKey, privateKey } = generators[alg]!();
  return {
    alg,
    jwk: publicKey.export({ format: 'jwk' }),
    certificate: certificateOf({ publicKey, privateKey }).toString('base64'),
    sign: (text) => sign(hashOf(alg), Buffer.from(text), { key: privateKey, ...optionsOf(alg) }).toString('base64url'),
  };
}

/** Undefined for EdDSA, whose hash is part of the algorithm. */
const hashOf = (alg: string): string | undefined => (alg.startsWith('Ed') ? undefined : `sha${alg.slice(2)}`);

/** RFC 7518 sections 3.4 and 3.5. */
function optionsOf(alg: string): SigningOptions {
  if (!alg.startsWith('PS')) return { dsaEncoding: 'ieee-p1363' };
  return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

/** A value in DER. The tags below are those of X.690. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (value: string): Buffer => der(0x17, Buffer.from(value));

/** sha256WithRSAEncryption (RFC 4055), ecdsa-with-SHA256 (RFC 5758), Ed25519 (RFC 8410). */
const signatureAlgorithms: Readonly<Record<string, Buffer>> = {
  rsa: sequence(oid('2a864886f70d01010b'), der(0x05)),
  ec: sequence(oid('2a8648ce3d040302')),
  ed25519: sequence(oid('2b6570')),
};

/** RFC 5280 section 4.1: version 3, valid from 2025 to 2049. */
function certificateOf({ publicKey, privateKey }: Pair): Buffer {
  const type = privateKey.asymmetricKeyType ?? '';
  const algorithm = signatureAlgorithms[type]!;
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('assay')))));
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time('250101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign(type === 'ed25519' ? undefined : 'sha256', content, privateKey);
  return sequence(content, algorithm, der(0x03, Buffer.from([0]), signature));
}
