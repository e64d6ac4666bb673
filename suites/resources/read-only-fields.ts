/** The documented read-only fields of a written resource, and values that a client sends for them. */
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

/** Far before and far after any server's clock. */
const farInstants = ['2001-02-03T04:05:06Z', '2001-02-03T04:05:06.789Z', '2098-07-06T05:04:03Z'] as const;
/** Statuses that no resource has right after a write. */
const farStatuses = ['TERMINATED', 'DELETING', 'DEACTIVATED'] as const;

/** The value that each field is sent with. The others contain the mark that identifies them. */
export interface Variant {
  readonly instant: string;
  readonly status: string;
}

export const exampleVariants: readonly Variant[] = [
  { instant: farInstants[0], status: farStatuses[0] },
  { instant: farInstants[2], status: farStatuses[1] },
  { instant: farInstants[1], status: farStatuses[2] },
];
export const variant: fc.Arbitrary<Variant> = fc.record({
  instant: fc.constantFrom(...farInstants),
  status: fc.constantFrom(...farStatuses),
});

/** A value of the field's type that no server would assign. */
export function ownValue(name: string, { instant, status }: Variant, mark: string): unknown {
  if (name.endsWith('At')) return instant;
  if (name === 'status') return status;
  if (name === 'url') return `https://${mark}.example.com/agent`;
  if (name === 'events')
    return [{ type: mark, status, message: mark, revision: mark, canaryRevision: mark, time: instant }];
  return mark;
}
