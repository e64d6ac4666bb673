/** Reads the certificates and the key that a target file names, and makes of them what connections need. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import path from 'node:path';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { describeFileError } from '../../spec/describe-file-error.ts';
import { readTextFile } from '../../spec/files/read-text.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { quote } from '../../spec/formats/read-format.ts';
import type { TlsSettings } from '../../spec/formats/target-file.ts';

const MAX_PEM_BYTES = 1024 * 1024;

const isPem = (value: string): boolean => value.trimStart().startsWith('-----BEGIN ');

/** PEM texts in place of file names, which are relative to `folder`. Throws InvalidInput for what cannot be used. */
export function readTls(settings: TlsSettings, folder: string): TlsSettings {
  const entries = Object.entries(settings) as [keyof TlsSettings, string][];
  const tls: TlsSettings = Object.fromEntries(entries.map(([field, value]) => [field, readPem(field, value, folder)]));
  for (const field of Object.keys(tls) as (keyof TlsSettings)[]) requireValid(field, tls);
  return tls;
}

function readPem(field: keyof TlsSettings, value: string, folder: string): string {
  if (isPem(value)) return value;
  try {
    return readTextFile(path.resolve(folder, value), MAX_PEM_BYTES);
  } catch (error) {
    // A misplaced key is not printed.
    const file = field === 'key' ? 'the file' : `the file ${quote(value)}`;
    throw new InvalidInput(`tls.${field}: ${file} ${describeFileError(error)}.`);
  }
}

/** For each field: fails if the text is unusable, and what it should be. */
const checks: Readonly<Record<keyof TlsSettings, readonly [(tls: TlsSettings) => unknown, string]>> = {
  ca: [({ ca = '' }) => new X509Certificate(ca), 'certificates in PEM format'],
  cert: [({ cert = '' }) => new X509Certificate(cert), 'a certificate in PEM format'],
  key: [({ key = '' }) => createPrivateKey(key), 'a private key in PEM format without a passphrase'],
};

function requireValid(field: keyof TlsSettings, tls: TlsSettings): void {
  const [parse, expected] = checks[field];
  try {
    parse(tls);
  } catch {
    throw new InvalidInput(`tls.${field}: expected ${expected}.`);
  }
  if (field !== 'key' || tls.cert === undefined || tls.key === undefined) return;
  if (!new X509Certificate(tls.cert).checkPrivateKey(createPrivateKey(tls.key)))
    throw new InvalidInput('tls.key: the key does not belong to the certificate of tls.cert.');
}

/** Trusts `ca` in addition to the authorities that Node trusts. `tls`: PEM texts. Undefined if there are none. */
export function secureContextOf(tls: TlsSettings | undefined): SecureContext | undefined {
  if (tls === undefined) return undefined;
  const { ca, ...own } = tls;
  // A certificate that is not self-signed may be trusted as well, as in curl.
  const trusted = { ca: [...getCACertificates('default'), ca ?? ''], allowPartialTrustChain: true };
  return createSecureContext({ ...own, ...(ca !== undefined && trusted) });
}
