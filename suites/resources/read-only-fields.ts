/** The read-only fields of what an operation writes, read from the documents, and values of a client's own for them. */
import * as fc from 'fast-check';
import { contentOf, documentOf, eachOperation, resolve } from '../../spec/documents.ts';
import type { Content, Schema } from '../../spec/documents.ts';
import type { OperationId } from '../../spec/operations.ts';

/** In metadata, or beside it. */
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

/** Long before and long after whatever a server's clock says. */
const farInstants = ['2001-02-03T04:05:06Z', '2001-02-03T04:05:06.789Z', '2098-07-06T05:04:03Z'] as const;
/** What nothing is just after it was written. */
const farStatuses = ['TERMINATED', 'DELETING', 'DEACTIVATED'] as const;

/** Which of the values a field is sent; the others hold the mark, by which they are found again. */
export interface Variant {
  readonly instant: string;
  readonly status: string;
}

export const firstVariant: Variant = { instant: farInstants[0], status: farStatuses[0] };
export const variant: fc.Arbitrary<Variant> = fc.record({
  instant: fc.constantFrom(...farInstants),
  status: fc.constantFrom(...farStatuses),
});

/** A value of the field's own type that no server gives by itself. */
export function ownValue(name: string, { instant, status }: Variant, mark: string): unknown {
  if (name.endsWith('At')) return instant;
  if (name === 'status') return status;
  if (name === 'url') return `https://${mark}.example.com/agent`;
  if (name === 'events')
    return [{ type: mark, status, message: mark, revision: mark, canaryRevision: mark, time: instant }];
  return mark;
}
