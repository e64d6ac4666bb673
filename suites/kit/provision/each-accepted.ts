/** Valid writes: each must be accepted and returned as sent. */
import * as fc from 'fast-check';
import type { Run } from '../../engine/run.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { recordOf, type Inputs } from '../../engine/for-all.ts';
import { acceptedUnlessLarge, labelSizes } from '../large-input.ts';
import { isInvalid, statusClass } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';
import type { Mismatch } from '../../target/violation.ts';
import { richMetadata } from './creates.ts';
import { MAX_CREATED, withAllPlaces } from './places.ts';
import { sharedValues } from '../../engine/shared-values.ts';
import { createQueues } from '../../target/queues.ts';
import { repeatRefused } from './quota.ts';
import { describeAccepted } from './samples.ts';
import type { RefusedWrite } from './samples.ts';
import { learnWriteTiming, readWriteUntil } from './update-timing.ts';
import { firstWrite, isRepeatable, plainestWrite, writeTitle, performWrite } from './writes.ts';
import type { Write, WriteOptions, WriteResult } from './writes.ts';

export interface ValidWrites<T extends object> {
  readonly candidates: readonly Write[];
  readonly inputs: Inputs<T>;
  /** Each is tested with every repeatable operation. */
  readonly boundaries?: readonly T[];
  /** At least one. Tested with every repeatable operation. The first is at the bound: only it is sent if the first write was refused. */
  readonly examples: readonly T[];
  readonly metadata: (input: T) => object;
  /** The only part of the metadata whose refusal is a mismatch. */
  readonly judged: keyof Metadata;
  /** Metadata with an example, by its index, and with what other rules test: written once per run and operation. */
  readonly together?: (index: number) => object;
  /** How a response or a read differs from what was sent. */
  readonly differences?: (sent: Metadata, exchange: Exchange) => Mismatch[];
}

export interface Metadata {
  readonly name?: unknown;
  readonly displayName?: unknown;
  readonly labels?: Readonly<Record<string, unknown>>;
}

const writesTogether = sharedValues<WriteResult>();

/** Throws NotTried if the target accepts no write. */
export async function eachAccepted<T extends object>(
  run: Run,
  { candidates, inputs, boundaries = [], examples, metadata, judged, together, differences = () => [] }: ValidWrites<T>,
): Promise<void> {
  let seconds = run.patienceSeconds;
  const judge = async (write: Write, result: WriteResult, isOld = false): Promise<Mismatch[]> => {
    if (!isSuccessful(result.exchange))
      return refusalMismatches(run, write, { result, judged }, (again) => judge(write, again));
    const flawsOf = (returned: Exchange | undefined) =>
      returned === undefined ? [] : differences(sentMetadata(result), returned);
    const responseFlaws = flawsOf(result.exchange);
    if (responseFlaws.length > 0 || flawsOf(result.read).length === 0) return responseFlaws;
    // Other cases, or updates that show how long they take, have changed the agent since then, so a new update is checked.
    if (write.agent !== undefined && (isOld || (await learnWriteTiming(run, write))))
      return judge(write, await performWrite(run, write, sentMetadata(result)));
    // After one timeout there is no more waiting while the input shrinks.
    const readFlaws = flawsOf(
      await readWriteUntil(run, write, result, (returned) => flawsOf(returned).length === 0, seconds),
    );
    if (readFlaws.length > 0) seconds = 0;
    return readFlaws;
  };
  const usable = [];
  const refused: RefusedWrite[] = [];
  for (const write of candidates) {
    const rich = await firstWrite(run, write);
    const result = isSuccessful(rich.exchange) ? rich : await writeOnce(run, write, () => metadata(examples[0]!));
    const { exchange } = isSuccessful(result.exchange) ? result : await plainWrite(run, write);
    if (isSuccessful(exchange)) {
      usable.push(write);
      run.check(await judge(write, result, result === rich));
    } else refused.push({ id: write.id, exchange });
  }
  run.need(usable.length > 0, describeAccepted(run, refused));
  if (refused.length > 0) run.skipInput(describeAccepted(run, refused));
  const repeatable = new Map(
    usable.filter((write) => isRepeatable(run, write)).map((write) => [writeTitle(write), write]),
  );
  if (repeatable.size === 0) return;
  const indices = new Map(examples.map((each, index) => [fc.stringify(each), index]));
  /** Undefined if it is refused, perhaps because of what other rules test. */
  const writeTogether = async (write: Write, input: T): Promise<WriteResult | undefined> => {
    const index = indices.get(fc.stringify(input));
    if (together === undefined || index === undefined) return undefined;
    const key = `${writeTitle(write)} ${index}`;
    const result = await writesTogether.get(run, key, () => writeOnce(run, write, () => together(index)));
    return isAccepted(result) ? result : undefined;
  };
  const inTurn = createQueues();
  const operations = [...repeatable.keys()];
  const everywhere = (parts: readonly T[]) =>
    operations.flatMap((operation) => parts.map((input) => ({ operation, input })));
  await run.forAll(
    { operation: fc.constantFrom(...operations), input: recordOf(inputs) },
    async ({ operation, input }) => {
      const write = run.need(repeatable.get(operation), operation);
      return inTurn(write.agent, async () => {
        const shared = await writeTogether(write, input);
        return shared === undefined
          ? judge(write, await writeOnce(run, write, () => metadata(input)))
          : judge(write, shared, true);
      });
    },
    // Each operation may treat a text in its own way.
    { concurrency: MAX_CREATED, all: true, examples: everywhere([...boundaries, ...examples]) },
  );
}

/** Repeats a create that conflicts under another name, because the first may be in use. */
async function writeOnce(run: Run, write: Write, metadata: () => object): Promise<WriteResult> {
  const result = await performWrite(run, write, metadata());
  return write.agent === undefined && isConflict(result) ? performWrite(run, write, metadata()) : result;
}

const isConflict = ({ exchange }: WriteResult): boolean => exchange.response.status === 409;

/**
 * A busy agent, or a status that a plain write gets as well (such as a full quota), is not a refusal of the input.
 * `ofAccepted` judges a repetition that is accepted.
 */
async function refusalMismatches(
  run: Run,
  write: Write,
  { result, judged }: { readonly result: WriteResult; readonly judged: keyof Metadata },
  ofAccepted: (again: WriteResult) => Promise<Mismatch[]>,
): Promise<Mismatch[]> {
  const repeat = () => performWrite(run, write, sentMetadata(result), { isAlone: true });
  const showsNothing = ({ exchange }: WriteResult): Mismatch[] =>
    run.skipInput(`an agent that accepts this update (status ${exchange.response.status})`);
  const ofRefused = async (refused: WriteResult): Promise<Mismatch[]> => {
    if (isInvalid(refused.exchange)) return comparedWithPlain(run, write, { refused, judged }, ofAccepted);
    const isPlainAccepted = async () => isAccepted(await plainWrite(run, write, { isAlone: true }));
    const last = await repeatRefused(repeat, isAccepted, isPlainAccepted);
    if (last === undefined) return write.agent === undefined ? [] : showsNothing(refused);
    return isAccepted(last) ? ofAccepted(last) : statusClass(last.exchange, '2xx');
  };
  if (write.agent !== undefined) return isConflict(result) ? showsNothing(result) : ofRefused(result);
  // Resources that exist at the same time may have filled a quota.
  return withAllPlaces(run, async () => {
    const again = isInvalid(result.exchange) ? result : await repeat();
    return isAccepted(again) ? ofAccepted(again) : ofRefused(again);
  });
}

const isAccepted = ({ exchange }: WriteResult): boolean => isSuccessful(exchange);

/** Of a write that is refused as invalid. Repeats it with plain metadata except for the judged part. */
async function comparedWithPlain(
  run: Run,
  write: Write,
  { refused, judged }: { readonly refused: WriteResult; readonly judged: keyof Metadata },
  ofAccepted: (again: WriteResult) => Promise<Mismatch[]>,
): Promise<Mismatch[]> {
  const plainResult = await plainWrite(run, write, { isAlone: true });
  const { exchange: plain } = plainResult;
  if (isSuccessful(plain)) {
    const metadata = { ...sentMetadata(plainResult), name: run.newName(), [judged]: sentMetadata(refused)[judged] };
    const last = await performWrite(run, write, metadata, { isAlone: true });
    return isAccepted(last)
      ? ofAccepted(last)
      : acceptedUnlessLarge(run, last.exchange, labelSizes(sentMetadata(last).labels));
  }
  const { exchange: rich } = await firstWrite(run, write);
  if (!isSuccessful(rich) || !isInvalid(plain)) return [];
  // A plain write that is refused while one with more fields is accepted is judged itself; otherwise a quota may be full.
  const again = await performWrite(run, write, richMetadata(run), { isAlone: true });
  return isSuccessful(again.exchange)
    ? statusClass(plain, '2xx').map((found) => ({ ...found, before: [again.exchange] }))
    : [];
}

/** With a displayName of letters and digits, and a name that ends in letters. */
const plainWrite = (run: Run, write: Write, options: WriteOptions = {}): Promise<WriteResult> =>
  plainestWrite(run, write, options, `${run.newName()}-plain`);

const sentMetadata = ({ input: { body } }: WriteResult): Metadata => (body as { metadata: Metadata }).metadata;
