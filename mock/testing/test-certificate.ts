/** A self-signed certificate for tests of HTTPS, valid for a day: node:crypto can sign one, but not build it (RFC 5280 4.1). */
import { generateKeyPairSync, sign } from 'node:crypto';

/** Each as PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** DER (X.690): a tag, a length and contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...items: readonly Uint8Array[]): Buffer => der(0x30, ...items);
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const objectId = (content: string): Buffer => der(0x06, hex(content));
const octets = (content: Uint8Array): Buffer => der(0x04, content);

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));
const NAME = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('assay test')))));
const SUBJECT_ALT_NAME = sequence(
  objectId('551d11'),
  octets(
    sequence(
      ...['localhost', '*.localhost', '*.local.localhost'].map((name) => der(0x82, Buffer.from(name))),
      der(0x87, Buffer.from([127, 0, 0, 1])),
      der(0x87, hex('00000000000000000000000000000001')),
    ),
  ),
);
const IS_CA = sequence(objectId('551d13'), octets(sequence(der(0x01, hex('ff')))));

const utcTime = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

/** For localhost, two levels of names below it, 127.0.0.1 and ::1. */
export function testCertificate(now: number = Date.now()): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ECDSA_WITH_SHA256,
    NAME,
    sequence(utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
    NAME,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(SUBJECT_ALT_NAME, IS_CA)),
  );
  const signature = der(0x03, hex('00'), sign('sha256', content, privateKey));
  const base64 = sequence(content, ECDSA_WITH_SHA256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g)?.join('\n') ?? '';
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
  };
}
