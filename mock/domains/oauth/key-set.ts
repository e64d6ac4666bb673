/** The public keys of a world (RFC 7517 5): the one that signs its tokens, and an earlier one, as servers publish when they change keys. */
import { X509Certificate } from 'node:crypto';
import type { KeySet } from '../../../spec/generated/types.ts';
import type { SigningKey } from '../../state/signing-key.ts';

/** Self-signed, valid from 2025 to 2049. The private key was thrown away: this key verifies no token. */
const EARLIER_CERTIFICATE = [
  'MIICmTCCAYGgAwIBAgIBATANBgkqhkiG9w0BAQsFADAQMQ4wDAYDVQQDDAVhc3NheTAeFw0yNTAxMDEwMDAwMDBaFw00OTEyMzEy',
  'MzU5NTlaMBAxDjAMBgNVBAMMBWFzc2F5MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA1nV2yEWIOAWPLnAOg8sfFWLW',
  '9ho2UfTOUHdXo+QlDhogzMjqdPzRx166XWYTwNG1v7jV8Z9vy+SMJyAaVyEW4qgK4MNitpw98y8Eeml0kiuZvpWOwdLw3STLbmSV',
  'EP+cToEozup4BBPK+n9/iEjoFtlA5xMWaKrvkjbzNzGz06p77aHpE3Bkmk20RsrFZxApfbu/UTFyIxy0FJHzcp/dLzhQteIm7BAM',
  '0XoZn87sNuDnxyQA++2XVKmZBdkGi7CJx2xx9/+Trbe/oTZvUzxzUC92e9lZeMqqPx6HcjXex370SnuxT100+JfV0PTk8ckHRTTn',
  '3XMkWXeyrPN38k7NFQIDAQABMA0GCSqGSIb3DQEBCwUAA4IBAQBbBvzUnngIZkHDwbuWx1ed5ltc+6nMfJjhqWt9UQ/fv1rOIw5G',
  'KQqUfcctTgV/1rc7HC2l/GxaBy1GJGFPDSqAnyflCH6BzFd6+8MMqlNef2axJA/AJMf42QVJISrlR5190G8Hg63Mkg1trIZptb2K',
  'co+BhxgCHe4/rRhOwwagGPhWpIX/4eArclXr5ABBwTnjS6tDDBiQZRK4d52BiNkw2998xFJ23K+Tkwpt0OuTc1+hlpESJmUakn/8',
  'KF4LUFUiibXa037r8BesgIKHjGlWDTcjvKnhb+70sToBKf98WHSw4A8URnlfjSxOJXbBFPi5bA6MJ9kt+clr0j+O7v+b',
].join('');

export const earlierCertificate = new X509Certificate(Buffer.from(EARLIER_CERTIFICATE, 'base64'));

/** Of another type than the key that signs. */
export const earlierKey: KeySet['keys'][number] = {
  ...earlierCertificate.publicKey.export({ format: 'jwk' }),
  kid: 'mock-earlier',
  use: 'sig',
  alg: 'RS256',
  x5c: [EARLIER_CERTIFICATE],
};

export function keySetOf({ id, publicJwk }: SigningKey): KeySet {
  return { keys: [{ ...publicJwk, kid: id, use: 'sig', alg: 'EdDSA' }, earlierKey] };
}
