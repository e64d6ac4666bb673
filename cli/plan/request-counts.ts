/** What a run sends and what that does, as counts by key: `sent OPERATION CREDENTIAL`, or an effect such as `creates createVpc`. */
import type { Surface } from '../../spec/openapi-document.ts';
import { operation, operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';

export type Counts = Readonly<Record<string, number>>;

/**
 * `creates`: may be removable, although that is not documented. `keeps`: creates what cannot be removed. `changes`: what the run
 * did not create. `removes`: the same, permanently. `updates`, `starts`: successful requests.
 */
export const effectKinds = ['creates', 'keeps', 'changes', 'removes', 'updates', 'starts'] as const;
export type EffectKind = (typeof effectKinds)[number];

export const effectKey = (kind: EffectKind, id: OperationId): string => `${kind} ${id}`;

/** The operation of each effect of that kind, and how often it occurs. */
export function effectsIn(counts: Counts, kind: EffectKind): [OperationId, number][] {
  return Object.entries(counts).flatMap(([key, count]) => {
    const [first, id] = key.split(' ');
    return first === kind ? [[id as OperationId, count] as [OperationId, number]] : [];
  });
}

/** Requests to one operation, or to undocumented paths of one surface, with one credential. */
export interface SentRequests {
  /** Absent for undocumented requests. */
  readonly operation?: OperationId;
  readonly surface: Surface;
  readonly method: string;
  /** With parameters in braces. Absent for undocumented requests. */
  readonly path?: string;
  /** The name of the credential's variable, or a description such as "none". */
  readonly credential: string;
}

export const sentKey = ({ operation: id, surface, method, credential }: SentRequests): string =>
  `sent ${id ?? `${method}:${surface}`} ${credential}`;

/** Undefined for an effect. */
export function parseSentKey(key: string): SentRequests | undefined {
  const [, what = '', credential = ''] = /^sent (\S+) (.+)$/.exec(key) ?? [];
  if (what === '') return undefined;
  const [method = '', surface] = what.split(':');
  if (surface !== undefined) return { surface: surface as Surface, method, credential };
  const known = operation(what as OperationId);
  return { operation: known.id, surface: known.surface, method: known.method, path: known.path, credential };
}

const orderOf = new Map<OperationId | undefined, number>(operations.map(({ id }, index) => [id, index]));

/** In document order. Undocumented requests come last. */
export function sentIn(counts: Counts): [SentRequests, number][] {
  const placeOf = ([{ operation: id }]: [SentRequests, number]): number => orderOf.get(id) ?? operations.length;
  return Object.entries(counts)
    .flatMap(([key, count]): [SentRequests, number][] => {
      const sent = parseSentKey(key);
      return sent === undefined ? [] : [[sent, count]];
    })
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

export const requestCount = (counts: Counts): number => sentIn(counts).reduce((sum, [, count]) => sum + count, 0);
