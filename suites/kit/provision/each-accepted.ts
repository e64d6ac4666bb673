/** Good writes, each of which must be accepted, and shown as it was sent. */
import * as fc from 'fast-check';
import type { Run } from '../../engine/run.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import type { Inputs } from '../../engine/for-all.ts';
import { statusClass } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';
import type { Mismatch } from '../../target/violation.ts';
import { plainMetadata } from './creates.ts';
import { firstWrite, isRepeatable, readBack, writeTitle, performWrite } from './writes.ts';
import type { Write, WriteResult } from './writes.ts';

export interface GoodWrites<T extends object> {
  readonly among: readonly Write[];
  readonly inputs: Inputs<T>;
  /** Tried with every operation that may be done again and again. The first alone where the first write was refused. */
  readonly examples: readonly [T, ...T[]];
  readonly metadata: (input: T) => object;
  /** What an answer, or a read, shows otherwise than it was sent. */
  readonly differences?: (sent: Metadata, exchange: Exchange) => Mismatch[];
  /** Inputs to generate: each is a request for a deployment. */
  readonly runs: number;
}

export interface Metadata {
  readonly name?: unknown;
  readonly displayName?: unknown;
  readonly labels?: Readonly<Record<string, unknown>>;
}

/** Throws NotTried where the target accepts no write at all, good or plain. */
export async function eachAccepted<T extends object>(
  run: Run,
  { among, inputs, examples, metadata, differences = () => [], runs }: GoodWrites<T>,
): Promise<void> {
  let seconds = run.patienceSeconds;
  const judge = async (write: Write, made: WriteResult, isOld = false): Promise<Mismatch[]> => {
    if (!isSuccessful(made.exchange)) return refusalMismatches(run, write, made);
    const flawsOf = (shown: Exchange | undefined) =>
      shown === undefined ? [] : differences(sentMetadata(made), shown);
    const answered = flawsOf(made.exchange);
    if (answered.length > 0 || flawsOf(made.read).length === 0) return answered;
    // Other cases have changed the agent since: what it shows by now is judged by an update of now.
    if (isOld && write.agent !== undefined) return judge(write, await performWrite(run, write, sentMetadata(made)));
    // What was waited for once in vain is not waited for again, while the input shrinks.
    const read = flawsOf(await readAgain(run, write, made, (shown) => flawsOf(shown).length === 0, seconds));
    if (read.length > 0) seconds = 0;
    return read;
  };
  const usable = [];
  for (const write of among) {
    const rich = await firstWrite(run, write);
    const made = isSuccessful(rich.exchange) ? rich : await writeOnce(run, write, () => metadata(examples[0]));
    if (!isSuccessful(made.exchange) && !(await plainIsAccepted(run, write))) continue;
    usable.push(write);
    run.check(await judge(write, made, made === rich));
  }
  run.need(usable.length > 0, `one of ${among.map(({ id }) => id).join(', ')} that is accepted`);
  const free = new Map(usable.filter((write) => isRepeatable(run, write)).map((write) => [writeTitle(write), write]));
  if (free.size === 0) return;
  await run.forAll(
    { operation: fc.constantFrom(...free.keys()), input: fc.record(inputs) },
    async ({ operation, input }) => {
      const write = run.need(free.get(operation), operation);
      return judge(write, await writeOnce(run, write, () => metadata(input)));
    },
    { runs, examples: [...free.keys()].flatMap((operation) => examples.map((input) => ({ operation, input }))) },
  );
}

/** An agent may be shown as it was for a while; what was created is new, and shown as it is or not at all. */
async function readAgain(
  run: Run,
  { id, agent }: Write,
  { input, exchange, read = exchange }: WriteResult,
  holds: (shown: Exchange) => boolean,
  seconds: number,
): Promise<Exchange> {
  if (agent === undefined) return read;
  return eventually(async () => (await readBack(run, id, input)) ?? exchange, holds, seconds);
}

/** What is in conflict as it is created is tried again under another name of that form: the first may have been taken. */
async function writeOnce(run: Run, write: Write, metadata: () => object): Promise<WriteResult> {
  const made = await performWrite(run, write, metadata());
  return write.agent === undefined && isConflict(made) ? performWrite(run, write, metadata()) : made;
}

const isConflict = ({ exchange }: WriteResult): boolean => exchange.answer.status === 409;

/** An agent may be busy all along; and what a plain write gets as well just then, as when a quota is used up, is no refusal. */
async function refusalMismatches(run: Run, write: Write, made: WriteResult): Promise<Mismatch[]> {
  if (write.agent !== undefined && isConflict(made)) return [];
  return (await plainIsAccepted(run, write)) ? statusClass(made.exchange, '2xx') : [];
}

async function plainIsAccepted(run: Run, write: Write): Promise<boolean> {
  return isSuccessful((await performWrite(run, write, plainMetadata(run))).exchange);
}

const sentMetadata = ({ input: { body } }: WriteResult): Metadata => (body as { metadata: Metadata }).metadata;
