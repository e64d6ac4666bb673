/** resources.read-only.*: what only the server says of a resource. */
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
import { metadataOf, mismatch, shownIn, told } from '../kit/resources/shown.ts';

conforms('resources.read-only.never-taken-from-client', async (run) => {
  const all = await acceptedWrites(run, await everyWrite(run));
  let isTold = false;
  for (const write of all) {
    const fields = readOnlyFields(write.id);
    const together = await tryFields(run, write, fields, firstVariant, { labelled: true });
    run.check(together.mismatches);
    isTold ||= together.isTold;
    let isAccepted = together.isAccepted;
    for (const field of fields) {
      // Each that is accepted stays at a target that cannot remove it.
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
  run.need(isTold, 'a write of read-only fields that is refused, or whose answer shows one');
});

async function severalFields(run: Run, free: readonly Write[]): Promise<void> {
  if (free.length === 0) return;
  const byTitle = new Map(free.map((write) => [writeTitle(write), write]));
  const some = (id: OperationId) => fc.subarray(readOnlyFields(id), { minLength: 1 });
  const asked = fc
    .constantFrom(...byTitle)
    .chain(([operation, { id }]) => fc.record({ operation: fc.constant(operation), fields: some(id) }));
  const ways = callerVariants(run);
  const beside = fc.record({ way: fc.constantFrom(...ways), labelled: fc.boolean() });
  const examples = free.flatMap((write) =>
    ways.map((way) => ({
      asked: { operation: writeTitle(write), fields: readOnlyFields(write.id) },
      variant: firstVariant,
      beside: { way, labelled: way.caller === 'strongest' },
    })),
  );
  await run.forAll(
    { asked, variant, beside },
    async ({ asked: { operation, fields }, variant: sent, beside: besides }) => {
      const write = run.need(byTitle.get(operation), operation);
      return (await tryFields(run, write, fields, sent, besides)).mismatches;
    },
    { runs: Math.min(run.runs, 20), examples },
  );
}

/** What else a write has beside read-only fields, and who sends it. */
interface Beside {
  readonly way?: CallerVariant;
  readonly labelled?: boolean;
}

interface Tried {
  readonly isAccepted: boolean;
  /** It was refused, or an answer shows one of the fields. */
  readonly isTold: boolean;
  readonly mismatches: Mismatch[];
}

/** A write with these fields in it: refused, or answered with the server's own values; so is what is written next without them. */
async function tryFields(
  run: Run,
  write: Write,
  fields: readonly ReadOnlyField[],
  sent: Variant,
  { way = defaultVariant, labelled = false }: Beside = {},
): Promise<Tried> {
  const mark = `${run.newName()}-mark`;
  const valuesOf = (within: ReadOnlyField['within']) =>
    Object.fromEntries(
      fields.filter((each) => each.within === within).map(({ name }) => [name, ownValue(name, sent, mark)]),
    );
  const labels = labelled ? { labels: { assay: 'read-only' } } : {};
  const metadata = { ...plainMetadata(run), ...labels, ...valuesOf('metadata') };
  const as = clientFor(run, way);
  const made = await performWrite(run, write, metadata, { more: valuesOf('resource'), as });
  if (!isSuccessful(made.exchange)) {
    return { isAccepted: false, isTold: true, mismatches: statusClass(made.exchange, '4xx') };
  }
  const next = write.agent === undefined ? undefined : await performWrite(run, write, plainMetadata(run));
  const all = [...shownBy(made), ...(next === undefined ? [] : shownBy(next))];
  const mismatches = all.flatMap((exchange) => taken(exchange, fields, sent, mark));
  return { isAccepted: true, isTold: all.some((exchange) => shownOf(exchange, fields).length > 0), mismatches };
}

const shownBy = ({ exchange, read }: WriteResult): Exchange[] => (read === undefined ? [exchange] : [exchange, read]);

/** The fields that show the client's value. */
function taken(exchange: Exchange, fields: readonly ReadOnlyField[], sent: Variant, mark: string): Mismatch[] {
  return shownOf(exchange, fields)
    .filter(({ name, value }) => isTheClients(name, value, sent, mark))
    .map(({ shown, name, value }) =>
      mismatch(shown, `${name} as the server has it`, `${name} of the client: ${told(value)}`),
    );
}

/** Those of the fields that the answer shows. */
function shownOf(exchange: Exchange, fields: readonly ReadOnlyField[]) {
  const shown = shownIn(exchange);
  if (shown === undefined) return [];
  return fields
    .map(({ within, name }) => ({
      shown,
      name,
      value: (within === 'metadata' ? metadataOf(shown) : shown.resource)[name],
    }))
    .filter(({ value }) => value !== undefined);
}

function isTheClients(name: string, value: unknown, { instant, status }: Variant, mark: string): boolean {
  if (name === 'status') return value === status;
  if (parseLenientInstant(value) !== undefined && typeof value === 'string') return lateness(instant, value) === 0;
  return JSON.stringify(value).includes(mark);
}
