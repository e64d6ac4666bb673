import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ca, client, server } from '../../fixtures/tls/index.ts';
import { openTarget } from './open-target.ts';
import { secretsOf } from './target.ts';
import { readTargetFile } from './target-file.ts';
import { localServer } from '../testing/local-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-tls-'));
for (const file of [ca, client.cert, client.key, server.key])
  copyFileSync(file, path.join(folder, path.basename(file)));
writeFileSync(path.join(folder, 'other.txt'), 'no certificate');

function fileWith(tls: object, management = 'http://a/v0'): string {
  const file = path.join(folder, 'target.json');
  writeFileSync(file, JSON.stringify({ addresses: { management }, tls }));
  return file;
}

const read = (tls: object) => readTargetFile(fileWith(tls), {});
const textOf = (file: string): string => readFileSync(file, 'utf8');

test('file names are relative to the target file, and texts in PEM format are used as they are', async () => {
  const expected = { ca: textOf(ca), cert: textOf(client.cert), key: textOf(client.key) };
  expect((await read({ ca: 'ca.pem', cert: './client.pem', key: client.key })).tls).toEqual(expected);
  expect((await read(expected)).tls).toEqual(expected);
});

test.each([
  [{ ca: 'none.pem' }, 'tls.ca: the file "none.pem" does not exist.'],
  [{ ca: '.' }, 'tls.ca: the file "." is a folder; expected a file.'],
  [{ ca: 'other.txt' }, 'tls.ca: expected certificates in PEM format.'],
  [{ cert: 'client-key.pem', key: 'client-key.pem' }, 'tls.cert: expected a certificate in PEM format.'],
  [{ cert: 'client.pem', key: 'client.pem' }, 'tls.key: expected a private key in PEM format without a passphrase.'],
  [{ cert: 'client.pem', key: 'server-key.pem' }, 'tls.key: the key does not belong to the certificate of tls.cert.'],
  [{ cert: 'client.pem' }, 'Missing key "key" in tls: expected the file that belongs to tls.cert.'],
  [{ key: 'client-key.pem' }, 'Missing key "cert" in tls: expected the file that belongs to tls.key.'],
  [{ cert: 'client.pem', key: 'MIGHAgEAMBMGByqGSM49' }, 'tls.key: the file does not exist.'],
])('%j is refused', async (tls, message) => {
  await expect(read(tls)).rejects.toThrow(`target.json: ${message}`);
});

test('the private key is a secret of the target', async () => {
  await using local = await localServer(() => ({ body: [] }));
  const file = await readTargetFile(fileWith({ cert: 'client.pem', key: 'client-key.pem' }, `${local.address}/v0`), {});
  const target = await openTarget(file, {});
  expect(secretsOf(target)).toEqual([{ value: textOf(client.key).trim(), name: 'SVC_TLS_KEY' }]);
});
