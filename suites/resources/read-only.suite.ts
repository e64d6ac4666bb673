/** resources.read-only.*: fields that only the server sets. */
import * as fc from 'fast-check';
import type { OperationId } from '../../spec/operations.ts';
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { parseLenientInstant, lateness } from '../expect/instant.ts';
import { statusClass } from '../expect/status.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import { clientFor, callerVariants, defaultVariant } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { acceptedWrites, everyWrite, isRepeatable, writeTitle, performWrite } from '../kit/provision/writes.ts';
import type { Write, WriteResult } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';
import { firstVariant, ownValue, readOnlyFields, variant } from './read-only-fields.ts';
import type { ReadOnlyField, Variant } from './read-only-fields.ts';
import { metadataOf, mismatch, returnedResource, formatValue } from '../kit/resources/returned-resource.ts';

conforms('resources.read-only.never-taken-from-client', async (run) => {
  const all = await acceptedWrites(run, await everyWrite(run));
  let isReported = false;
  for (const write of all) {
    const fields = readOnlyFields(write.id);
    const together = await tryFields(run, write, fields, firstVariant, { labelled: true });
    run.check(together.mismatches);
    isReported ||= together.isReported;
    let isAccepted = together.isAccepted;
    for (const field of fields) {
      // On a target that cannot remove them, each accepted create remains.
      if (isAccepted && !isRepeatable(run, write)) break;
      const alone = await tryFields(run, write, [field], firstVariant);
      run.check(alone.mismatches);
      isAccepted ||= alone.isAccepted;
    }
  }
  await severalFields(
    run,
    all.filter((write) => isRepeatable(run, write)),
  );
  run.need(isReported, 'a write of read-only fields that is refused or whose response contains one');
});

async function severalFields(run: Run, free: readonly Write[]): Promise<void> {
  if (free.length === 0) return;
  const byTitle = new Map(free.map((write) => [writeTitle(write), write]));
  const some = (id: OperationId) => fc.subarray(readOnlyFields(id), { minLength: 1 });
  const request = fc
    .constantFrom(...byTitle)
    .chain(([operation, { id }]) => fc.record({ operation: fc.constant(operation), fields: some(id) }));
  const variants = callerVariants(run);
  const options = fc.record({ callerVariant: fc.constantFrom(...variants), labelled: fc.boolean() });
  const examples = free.flatMap((write) =>
    variants.map((callerVariant) => ({
      request: { operation: writeTitle(write), fields: readOnlyFields(write.id) },
      variant: firstVariant,
      options: { callerVariant, labelled: callerVariant.caller === 'strongest' },
    })),
  );
  await run.forAll(
    { request, variant, options },
    async ({ request: { operation, fields }, variant: sent, options: sentOptions }) => {
      const write = run.need(byTitle.get(operation), operation);
      return (await tryFields(run, write, fields, sent, sentOptions)).mismatches;
    },
    { runs: Math.min(run.runs, 20), examples },
  );
}

/** What else the write contains, and which caller sends it. */
interface WriteOptions {
  readonly callerVariant?: CallerVariant;
  readonly labelled?: boolean;
}

interface Tried {
  readonly isAccepted: boolean;
  /** The write was refused, or a response contains one of the fields. */
  readonly isReported: boolean;
  readonly mismatches: Mismatch[];
}

/**
 * Writes these fields: the write is refused or its response has the server's values, and so has that of the next write
 * without them.
 */
async function tryFields(
  run: Run,
  write: Write,
  fields: readonly ReadOnlyField[],
  sent: Variant,
  { callerVariant = defaultVariant, labelled = false }: WriteOptions = {},
): Promise<Tried> {
  const mark = `${run.newName()}-mark`;
  const valuesOf = (within: ReadOnlyField['within']) =>
    Object.fromEntries(
      fields.filter((each) => each.within === within).map(({ name }) => [name, ownValue(name, sent, mark)]),
    );
  const labels = labelled ? { labels: { assay: 'read-only' } } : {};
  const metadata = { ...plainMetadata(run), ...labels, ...valuesOf('metadata') };
  const as = clientFor(run, callerVariant);
  const result = await performWrite(run, write, metadata, { more: valuesOf('resource'), as });
  if (!isSuccessful(result.exchange)) {
    return { isAccepted: false, isReported: true, mismatches: statusClass(result.exchange, '4xx') };
  }
  const next = write.agent === undefined ? undefined : await performWrite(run, write, plainMetadata(run));
  const all = [...returnedBy(result), ...(next === undefined ? [] : returnedBy(next))];
  const mismatches = all.flatMap((exchange) => adoptedValues(exchange, fields, sent, mark));
  return {
    isAccepted: true,
    isReported: all.some((exchange) => returnedFields(exchange, fields).length > 0),
    mismatches,
  };
}

const returnedBy = ({ exchange, read }: WriteResult): Exchange[] =>
  read === undefined ? [exchange] : [exchange, read];

/** The fields that have the client's value. */
function adoptedValues(exchange: Exchange, fields: readonly ReadOnlyField[], sent: Variant, mark: string): Mismatch[] {
  return returnedFields(exchange, fields)
    .filter(({ name, value }) => isTheClients(name, value, sent, mark))
    .map(({ returned, name, value }) =>
      mismatch(returned, `${name} set by the server`, `${name} sent by the client: ${formatValue(value)}`),
    );
}

/** The fields that the response contains. */
function returnedFields(exchange: Exchange, fields: readonly ReadOnlyField[]) {
  const returned = returnedResource(exchange);
  if (returned === undefined) return [];
  return fields
    .map(({ within, name }) => ({
      returned,
      name,
      value: (within === 'metadata' ? metadataOf(returned) : returned.resource)[name],
    }))
    .filter(({ value }) => value !== undefined);
}

function isTheClients(name: string, value: unknown, { instant, status }: Variant, mark: string): boolean {
  if (name === 'status') return value === status;
  if (parseLenientInstant(value) !== undefined && typeof value === 'string') return lateness(instant, value) === 0;
  return JSON.stringify(value).includes(mark);
}
