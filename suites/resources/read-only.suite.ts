/** resources.read-only.*: fields that only the server sets. */
import * as fc from 'fast-check';
import type { OperationId } from '../../spec/operations.ts';
import { conforms } from '../engine/conforms.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { parseLenientInstant, lateness } from '../expect/instant.ts';
import { statusClass } from '../expect/status.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import { clientFor, callerVariants, defaultVariant, variantAt } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { sharedValue, sharedValues } from '../engine/shared-values.ts';
import { MAX_CREATED } from '../kit/provision/places.ts';
import { createQueues } from '../target/queues.ts';
import {
  acceptedWrites,
  everyWrite,
  isRepeatable,
  neededWrite,
  writeTitle,
  performWrite,
} from '../kit/provision/writes.ts';
import type { Write, WriteResult } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';
import { exampleVariants, ownValue, ownValues, readOnlyFields, variant } from './read-only-fields.ts';
import type { OwnValues, ReadOnlyField, Variant } from './read-only-fields.ts';
import { judgeReadOnly, readOrWrites } from './seen-read-only.ts';
import {
  documentedFirst,
  metadataOf,
  mismatch,
  returnedResource,
  formatValue,
} from '../kit/resources/returned-resource.ts';

judgesInOrder('resources.read-only.never-taken-from-client', readOrWrites, judgeReadOnly);

conforms('resources.read-only.never-taken-from-client', async (run) => {
  const all = documentedFirst(await acceptedWrites(run, await everyWrite(run)));
  const byTitle = new Map(all.map((write) => [writeTitle(write), write]));
  const variants = callerVariants(run);
  const inTurn = createQueues();
  /** On a target that cannot remove them, each accepted create remains. */
  const remaining = new Set<Write>();
  const reported = await reportedOfRun.get(run, async () => ({ count: 0 }));
  const namesOf = (id: OperationId): string[] => readOnlyFields(id).map(({ name }) => name);
  const fields = fc
    .constantFrom(...byTitle)
    .chain(([operation, { id }]) =>
      fc.record({ operation: fc.constant(operation), names: fc.subarray(namesOf(id), { minLength: 1 }) }),
    );
  const together = all.map((write) => ({ operation: writeTitle(write), names: namesOf(write.id) }));
  const most = Math.max(...together.map(({ names }) => names.length));
  // One field after the other of each operation in turn, so that consecutive ones differ.
  const alone = Array.from({ length: most }, (_, index) =>
    together.flatMap(({ operation, names }, at) =>
      index < names.length ? [{ operation, names: [names[(index + at) % names.length]!] }] : [],
    ),
  ).flat();
  const examples = [...together, ...together.toReversed(), ...alone].map((request, index) => ({
    request,
    variant: exampleVariants[Math.floor(index / together.length) % exampleVariants.length]!,
    options: {
      callerVariant: variantAt(variants, index < together.length ? 0 : index + Math.floor(index / variants.length)),
      labelled: index < together.length || index % 2 === 0,
    },
  }));
  const options = fc.record({ callerVariant: fc.constantFrom(...variants), labelled: fc.boolean() });
  const test = async ({ request: { operation, names }, variant: sent, options: sentOptions }: Input) => {
    const write = run.need(byTitle.get(operation), operation);
    return inTurn(write.agent ?? (isRepeatable(run, write) ? undefined : operation), async () => {
      if (remaining.has(write)) return [];
      const tried = await tryFields(
        run,
        write,
        readOnlyFields(write.id).filter(({ name }) => names.includes(name)),
        sent,
        sentOptions,
      );
      if (tried.isReported) reported.count += 1;
      if (tried.isAccepted && !isRepeatable(run, write)) remaining.add(write);
      return tried.mismatches;
    });
  };
  await run.forAll({ request: fields, variant, options }, test, {
    examples,
    all: true,
    concurrency: MAX_CREATED,
  });
  // The responses of this round may contain none of the fields.
  for (const example of examples.slice(0, together.length)) if (reported.count === 0) run.check(await test(example));
  run.need(reported.count, 'a write of read-only fields that is refused or whose response contains one');
});

const reportedOfRun = sharedValue<{ count: number }>();

interface Input {
  /** The title of a write, and the fields that it sends. */
  readonly request: { readonly operation: string; readonly names: readonly string[] };
  readonly variant: Variant;
  readonly options: WriteOptions;
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
  kinds: Variant,
  { callerVariant = defaultVariant, labelled = false }: WriteOptions = {},
): Promise<Tried> {
  const sent = ownValues(kinds, `${run.newName()}-mark`, await statusesBefore(run, write));
  const valuesOf = (within: ReadOnlyField['within']) =>
    Object.fromEntries(fields.filter((each) => each.within === within).map(({ name }) => [name, ownValue(name, sent)]));
  const labels = labelled ? { labels: { assay: 'read-only' } } : {};
  const metadata = { ...plainMetadata(run), ...labels, ...valuesOf('metadata') };
  const as = clientFor(run, callerVariant);
  const result = await performWrite(run, write, metadata, { more: valuesOf('resource'), as });
  if (!isSuccessful(result.exchange)) {
    return { isAccepted: false, isReported: true, mismatches: statusClass(result.exchange, '4xx') };
  }
  const next =
    write.agent === undefined ? undefined : await performWrite(run, write, plainMetadata(run), { isRead: false });
  const all = [...returnedBy(result), ...(next === undefined ? [] : returnedBy(next))];
  const mismatches = all.flatMap((exchange) => adoptedValues(exchange, fields, sent));
  return {
    isAccepted: true,
    isReported: all.some((exchange) => returnedFields(exchange, fields).length > 0),
    mismatches,
  };
}

const statusesOfAgents = sharedValues<ReadonlySet<unknown>>();

/**
 * The statuses that the agent has without being sent one: an earlier run may have sent them. Empty for a resource of this run. Only
 * sends a request if the run has written to another agent before.
 */
async function statusesBefore(run: Run, write: Write): Promise<ReadonlySet<unknown>> {
  const { agent } = write;
  if (agent === undefined || agent.startsWith(run.prefix)) return new Set();
  return statusesOfAgents.get(run, agent, async () => {
    const first = await neededWrite(run, write);
    const isOfAgent = first.input.path?.['agentName'] === agent;
    const result = isOfAgent ? first : await performWrite(run, write, plainMetadata(run));
    return new Set(returnedBy(result).map((exchange) => returnedResource(exchange)?.resource['status']));
  });
}

const returnedBy = ({ exchange, read }: WriteResult): Exchange[] =>
  read === undefined ? [exchange] : [exchange, read];

/** The fields that have the client's value. */
function adoptedValues(exchange: Exchange, fields: readonly ReadOnlyField[], sent: OwnValues): Mismatch[] {
  return returnedFields(exchange, fields)
    .filter(({ name, value }) => isTheClients(name, value, sent))
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

function isTheClients(name: string, value: unknown, { mark, instant, status }: OwnValues): boolean {
  if (name === 'status') return value === status;
  // First, because a lenient parser takes "27-mark" for a day in March.
  if (JSON.stringify(value).includes(mark)) return true;
  return parseLenientInstant(value) !== undefined && typeof value === 'string' && lateness(instant, value) === 0;
}
