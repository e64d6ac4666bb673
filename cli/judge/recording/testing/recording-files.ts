/** Writes recordings for tests. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { readRecording } from '../read-recording.ts';
import type { RecordedExchange, Recording } from '../recorded-exchange.ts';

export type Json = Readonly<Record<string, unknown>>;

export const API = 'https://api.example/v0';

export const authorization = { name: 'Authorization', value: 'Bearer abc.def.ghi' };
export const jsonType = { name: 'Content-Type', value: 'application/json' };

/** A GET that was answered with `[]`; `request` and `response` replace its members. */
export const harEntry = (request: Json = {}, response: Json = {}, more: Json = {}): Json => ({
  startedDateTime: '2026-11-28T02:00:00.000Z',
  time: 5,
  request: { method: 'GET', url: `${API}/accounts`, headers: [authorization], bodySize: 0, ...request },
  response: {
    status: 200,
    headers: [jsonType],
    content: { size: 2, mimeType: 'application/json', text: '[]' },
    bodySize: 2,
    ...response,
  },
  ...more,
});

export const harText = (entries: readonly unknown[], creator: Json = { name: 'Writer', version: '1.0' }): string =>
  JSON.stringify({ log: { version: '1.2', creator, entries } });

/** Returns the path of a file in a new folder. `beside`: other files in the folder, by relative path. */
export function writeRecording(
  content: string | Uint8Array,
  { name = 'run.har', beside = {} }: { name?: string; beside?: Readonly<Record<string, string | Uint8Array>> } = {},
): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-recording-'));
  for (const [file, text] of Object.entries({ ...beside, [name]: content })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return path.join(folder, name);
}

export const readEntries = (entries: readonly unknown[], creator?: Json): Promise<Recording> =>
  readRecording(writeRecording(harText(entries, creator)));

export async function readEntry(request: Json = {}, response: Json = {}, more: Json = {}): Promise<RecordedExchange> {
  const { exchanges } = await readEntries([harEntry(request, response, more)]);
  if (exchanges[0] === undefined) throw new Error('The entry was skipped.');
  return exchanges[0];
}

/** A zip file. `claimedSize` is what it says about the size of each file. */
export function zipOf(files: Readonly<Record<string, string>>, claimedSize?: number): Buffer {
  const entries = Object.entries(files).map(([name, text]) => {
    const data = deflateRawSync(text);
    return { name: Buffer.from(name), data, size: claimedSize ?? Buffer.byteLength(text), crc: crc32(text) };
  });
  let offset = 0;
  const bodies: Buffer[] = [];
  const directory = entries.map(({ name, data, size, crc }) => {
    // Version, flags, method 8 (deflate), time and date, and what both kinds of headers say about the data.
    const common = Buffer.alloc(26);
    common.set([20, 0, 0, 0, 8, 0]);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const header = Buffer.alloc(46);
    header.set([0x50, 0x4b, 1, 2, 20, 0]);
    header.set(common, 6);
    header.writeUInt32LE(offset, 42);
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), common, name, data]);
    bodies.push(local);
    offset += local.length;
    return Buffer.concat([header, name]);
  });
  const end = Buffer.alloc(22);
  end.set([0x50, 0x4b, 5, 6]);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}
