/** The certificate of a mock that serves HTTPS. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';

/** Each as PEM. */
export interface TlsFiles {
  /** The certificate, and those that it was issued with, if any. */
  readonly cert: string | Uint8Array;
  /** Its private key, without a passphrase. */
  readonly key: string | Uint8Array;
}

export interface TlsProblem {
  readonly option: keyof TlsFiles;
  /** Continues a sentence that begins with the name of the option. */
  readonly reason: string;
}

/** Undefined if the certificate can be served with the key. */
export function tlsProblem({ cert, key }: TlsFiles): TlsProblem | undefined {
  const certificate = undefinedIfInvalid(() => new X509Certificate(cert));
  if (certificate === undefined) return { option: 'cert', reason: 'is not a certificate in PEM form' };
  const privateKey = undefinedIfInvalid<KeyObject>(() => createPrivateKey(Buffer.from(key)));
  if (privateKey === undefined)
    return { option: 'key', reason: 'is not a private key in PEM form without a passphrase' };
  if (certificate.checkPrivateKey(privateKey)) return undefined;
  return { option: 'key', reason: 'is not the private key of the certificate' };
}

/** The message of node:crypto is that of OpenSSL, which says nothing to a user. */
function undefinedIfInvalid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
