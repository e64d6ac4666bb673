/** The documented read-only fields of a written resource, and values that a client sends for them. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { documentOf } from '../../spec/documents.ts';
import { contentOf, eachOperation, resolve } from '../../spec/openapi-document.ts';
import type { Content, Schema } from '../../spec/openapi-document.ts';
import type { OperationId } from '../../spec/operations.ts';

/** In metadata, or at the top level. */
export interface ReadOnlyField {
  readonly within: 'metadata' | 'resource';
  readonly name: string;
}

const document = documentOf('management');

export function readOnlyFields(id: OperationId): ReadOnlyField[] {
  const found = eachOperation(document).find(({ operation }) => operation.operationId === id);
  const body = resolve<Content>(document, found?.operation.requestBody ?? {});
  const [, schema = {}] = contentOf(body)[0] ?? [];
  const resource = resolve(document, schema).properties ?? {};
  const metadata = resolve<Schema>(document, resource['metadata'] ?? {}).properties ?? {};
  return [
    ...readOnlyIn(metadata).map((name) => ({ within: 'metadata' as const, name })),
    ...readOnlyIn(resource).map((name) => ({ within: 'resource' as const, name })),
  ];
}

const readOnlyIn = (properties: Record<string, Schema>): string[] =>
  Object.entries(properties)
    .filter(([, { readOnly }]) => readOnly === true)
    .map(([name]) => name);

/** Instants that are far before or far after any server's clock: from the first, up to the second. */
const instants = {
  past: { from: Date.UTC(2001), to: Date.UTC(2011), hasMilliseconds: false },
  'past with milliseconds': { from: Date.UTC(2001), to: Date.UTC(2011), hasMilliseconds: true },
  future: { from: Date.UTC(2091), to: Date.UTC(2099), hasMilliseconds: false },
};
type InstantKind = keyof typeof instants;
const instantKinds = Object.keys(instants) as InstantKind[];
/** Statuses that no resource has right after a write. */
const farStatuses = ['TERMINATED', 'DELETING', 'DEACTIVATED'] as const;

/** What kind of value each field is sent with. */
export interface Variant {
  readonly instant: InstantKind;
  readonly status: (typeof farStatuses)[number];
}

export const exampleVariants: readonly Variant[] = [
  { instant: 'past', status: farStatuses[0] },
  { instant: 'future', status: farStatuses[1] },
  { instant: 'past with milliseconds', status: farStatuses[2] },
];
export const variant: fc.Arbitrary<Variant> = fc.record({
  instant: fc.constantFrom(...instantKinds),
  status: fc.constantFrom(...farStatuses),
});

/** What one write sends. All fields other than instants and the status contain the mark. */
export interface OwnValues {
  readonly mark: string;
  readonly instant: string;
  readonly status: string;
}

/**
 * Values that an earlier run has not sent: what it sent may still be stored. `mark`: a name that only this write uses, which also
 * decides the instant. `before`: the statuses that the resource had, at most two.
 */
export function ownValues({ instant, status }: Variant, mark: string, before: ReadonlySet<unknown>): OwnValues {
  const others = farStatuses.filter((each) => !before.has(each));
  const other = others.find((each) => each === status) ?? others[0]!;
  return { mark, instant: instantFor(instant, mark), status: other };
}

function instantFor(kind: InstantKind, mark: string): string {
  const { from, to, hasMilliseconds } = instants[kind];
  const digest = createHash('sha256').update(mark).digest();
  const text = new Date(from + (digest.readUIntBE(0, 6) % (to - from))).toISOString();
  return hasMilliseconds ? text : text.replace(/\.\d+/, '');
}

/** A value of the field's type that no server would assign. */
export function ownValue(name: string, { mark, instant, status }: OwnValues): unknown {
  if (name.endsWith('At')) return instant;
  if (name === 'status') return status;
  if (name === 'url') return `https://${mark}.example.com/agent`;
  if (name === 'events')
    return [{ type: mark, status, message: mark, revision: mark, canaryRevision: mark, time: instant }];
  return mark;
}
