/** What the sandboxes of a world may store: entries and bytes of files, and parts of uploads. */
import type { WorldLimits } from '../../../spec/formats/mock-limits.ts';
import { requireWithin } from '../../http/limits.ts';

/** What is read of the files of a sandbox. */
interface Files {
  readonly entries: Readonly<
    Record<string, { readonly kind: 'directory' } | { readonly kind: 'file'; readonly size: number }>
  >;
}

/** What is read of its uploads. */
type PartsById = Readonly<Record<string, { readonly parts: Readonly<Record<string, { readonly size: number }>> }>>;

/** What a write adds; numbers may be negative. */
export interface Addition {
  readonly files?: number;
  readonly parts?: number;
  readonly bytes: number;
}

/** Throws a problem if an addition does not fit. */
export type Room = (addition: Addition) => void;

/** For world files, whose content is limited by nothing. */
export const unlimitedRoom: Room = () => {};

interface Usage {
  files: number;
  bytes: number;
}

// Derived from what is stored, so not part of it.
const usages = new WeakMap<Files, Usage>();

/** Entries, and bytes of their content and paths. */
export function usageOf(filesystem: Files): Usage {
  const known = usages.get(filesystem);
  if (known !== undefined) return known;
  const usage: Usage = { files: 0, bytes: 0 };
  for (const [path, entry] of Object.entries(filesystem.entries)) {
    usage.files++;
    usage.bytes += path.length + (entry.kind === 'file' ? entry.size : 0);
  }
  usages.set(filesystem, usage);
  return usage;
}

export interface Stored {
  readonly filesystem: Files;
  readonly uploads: PartsById;
}

/** `all`: the sandboxes of the world. */
export function roomOf(limits: WorldLimits, { filesystem, uploads }: Stored, all: () => Iterable<Stored>): Room {
  return ({ files = 0, parts = 0, bytes }) => {
    requireWithin(limits, 'files', usageOf(filesystem).files + files);
    if (parts > 0) requireWithin(limits, 'parts', partsOf(uploads) + parts);
    requireWithin(limits, 'sandboxBytes', bytesOf({ filesystem, uploads }) + bytes);
    let total = bytes;
    for (const stored of all()) total += bytesOf(stored);
    requireWithin(limits, 'allSandboxesBytes', total);
  };
}

function partsOf(uploads: PartsById): number {
  return Object.values(uploads).reduce((sum, { parts }) => sum + Object.keys(parts).length, 0);
}

function bytesOf({ filesystem, uploads }: Stored): number {
  let bytes = usageOf(filesystem).bytes;
  for (const { parts } of Object.values(uploads)) for (const { size } of Object.values(parts)) bytes += size;
  return bytes;
}
