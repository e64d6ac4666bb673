/** Multipart uploads of a sandbox: initiated for a path, filled part by part, then completed as a file or aborted. */
import { invalidField, notFound } from '../../http/problems.ts';
import type { Instant } from '../../time/clock.ts';
import { timestamp } from '../../time/clock.ts';
import { DEFAULT_PERMISSIONS, writeFile, type Filesystem } from './filesystem.ts';
import { filePath } from './path.ts';
import { unlimitedRoom, type Room } from './room.ts';
import { requireWithin } from '../../http/limits.ts';
import { limitsWith, type WorldLimits } from '../../../spec/formats/mock-limits.ts';
import { createHash } from 'node:crypto';

interface Part {
  /** Base64. */
  readonly content: string;
  readonly size: number;
  readonly etag: string;
  readonly uploadedAt: Instant;
}

export interface Upload {
  readonly uploadId: string;
  readonly path: string;
  /** File mode. */
  readonly permissions: number;
  readonly initiatedAt: Instant;
  /** By part number. */
  readonly parts: Record<string, Part>;
}

/** Active uploads by id, as plain data. */
export type Uploads = Record<string, Upload>;

const LAST_PART_NUMBER = 10_000;

/** Initiates an upload. The filesystem does not change before it is completed. */
export function initiateUpload(
  uploads: Uploads,
  uploadId: string,
  path: string,
  now: Instant,
  permissions = DEFAULT_PERMISSIONS,
  limits: WorldLimits = limitsWith(),
): Upload {
  requireWithin(limits, 'uploads', Object.keys(uploads).length + 1);
  return (uploads[uploadId] = { uploadId, path: filePath(path), permissions, initiatedAt: now, parts: {} });
}

/** Stores a part; replaces an earlier part of the same number. */
export function uploadPart(
  uploads: Uploads,
  uploadId: string,
  partNumber: string,
  bytes: Buffer,
  now: Instant,
  room: Room = unlimitedRoom,
): Part {
  const upload = activeUpload(uploads, uploadId);
  if (!/^[1-9]\d{0,4}$/.test(partNumber) || Number(partNumber) > LAST_PART_NUMBER) {
    throw invalidField('partNumber', partNumber, `1 to ${LAST_PART_NUMBER}`);
  }
  const before = upload.parts[partNumber];
  room({ parts: before === undefined ? 1 : 0, bytes: bytes.length - (before?.size ?? 0) });
  const etag = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return (upload.parts[partNumber] = { content: bytes.toString('base64'), size: bytes.length, etag, uploadedAt: now });
}

interface NamedPart {
  readonly partNumber: number;
  readonly etag: string;
}

interface Completion {
  readonly parts: readonly NamedPart[];
  readonly room?: Room;
  readonly limits?: WorldLimits;
}

/** Writes the file from the given parts in order of their numbers; returns its path. */
export function completeUpload(
  uploads: Uploads,
  filesystem: Filesystem,
  uploadId: string,
  now: Instant,
  { parts: chosen, room = unlimitedRoom, limits = limitsWith() }: Completion,
): string {
  const { parts, path, permissions } = activeUpload(uploads, uploadId);
  const inOrder = chosen.toSorted((a, b) => a.partNumber - b.partNumber);
  const twice = inOrder.find(({ partNumber }, at) => partNumber === inOrder[at - 1]?.partNumber);
  if (twice !== undefined) throw invalidField('parts', twice.partNumber, 'each part once');
  requireWithin(
    limits,
    'fileBytes',
    inOrder.reduce((sum, { partNumber }) => sum + (parts[partNumber]?.size ?? 0), 0),
  );
  const contents = inOrder.map((part) => contentOf(parts, part));
  // The parts are dropped at the same time, so they leave room.
  const freedBytes = Object.values(parts).reduce((sum, { size }) => sum + size, 0);
  const roomAfterwards: Room = (addition) => room({ ...addition, bytes: addition.bytes - freedBytes });
  const written = writeFile(filesystem, path, Buffer.concat(contents), now, { permissions, room: roomAfterwards });
  delete uploads[uploadId];
  return written;
}

/** Aborts an upload and drops its parts. */
export function abortUpload(uploads: Uploads, uploadId: string): void {
  activeUpload(uploads, uploadId);
  delete uploads[uploadId];
}

/** The active uploads, oldest first. */
export function listUploads(uploads: Uploads) {
  return Object.values(uploads)
    .toSorted((a, b) => a.initiatedAt - b.initiatedAt)
    .map(uploadRecord);
}

/** The response body of an upload, without the content of its parts. */
export function uploadRecord({ uploadId, path, permissions, initiatedAt, parts }: Upload) {
  const records = Object.entries(parts).map(([number, part]) => [number, partRecord(number, part)]);
  return { uploadId, path, permissions, initiatedAt: timestamp(initiatedAt), parts: Object.fromEntries(records) };
}

export function partRecord(number: string, { size, etag, uploadedAt }: Part) {
  return { partNumber: Number(number), size, etag, uploadedAt: timestamp(uploadedAt) };
}

/** The parts of an active upload, in order of their numbers. */
export function listParts(uploads: Uploads, uploadId: string) {
  return Object.entries(activeUpload(uploads, uploadId).parts).map(([number, part]) => partRecord(number, part));
}

function activeUpload(uploads: Uploads, uploadId: string): Upload {
  const upload = Object.hasOwn(uploads, uploadId) ? uploads[uploadId] : undefined;
  if (upload === undefined) throw notFound('Upload', uploadId);
  return upload;
}

function contentOf(parts: Upload['parts'], { partNumber, etag }: NamedPart): Buffer {
  const key = String(partNumber);
  const part = Object.hasOwn(parts, key) ? parts[key] : undefined;
  if (part === undefined)
    throw invalidField('parts', partNumber, `the parts uploaded: ${Object.keys(parts).join(', ') || 'none'}`);
  if (etag !== part.etag) throw invalidField(`the etag of part ${partNumber}`, etag, part.etag);
  return Buffer.from(part.content, 'base64');
}
