/** Writes metadata by every documented operation that takes it, the update of an agent among them, and reads back what it can. */
import { operation, operations } from '../../../spec/operations.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import type { Run } from '../../engine/run.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { CallInput } from '../../target/request-types.ts';
import { describeCreation } from '../../target/creations.ts';
import { agentToChange } from './agents.ts';
import type { Generation } from './agents.ts';
import { createOperations, plainMetadata, richMetadata } from './creates.ts';
import { undefinedIfNotTried } from './undefined-if-not-tried.ts';
import { removeByName } from './removal.ts';
import { sharedValues } from '../../engine/shared-values.ts';

const firstWrites = sharedValues<WriteResult>();
const acceptedWriteResults = sharedValues<WriteResult | undefined>();

/** One operation that takes metadata, and a body of it in which nothing else is wrong. */
export interface Write {
  readonly id: OperationId;
  /** Of what it changes; undefined where it creates. */
  readonly agent?: string;
  /** Of that agent. */
  readonly generation?: Generation;
  /** `more` stands beside metadata and spec. */
  readonly input: (metadata: object, more?: object) => CallInput;
}

export interface WriteResult {
  readonly input: CallInput;
  readonly exchange: Exchange;
  /** What a read showed of it right after; undefined where the target has no way to read it. */
  readonly read: Exchange | undefined;
}

/** Every create that this target has all names for, and the update of an agent where there is one to change. */
export const writes = async (run: Run): Promise<Write[]> => [...createOperations(run), ...(await agentWrites(run))];

/** The same, and the update of an mk3 agent as well. */
export const everyWrite = async (run: Run): Promise<Write[]> => [
  ...(await writes(run)),
  ...(await agentWrites(run, 'mk3')),
];

/** The update of an agent; none where there is none to change. */
export async function agentWrites(run: Run, generation: Generation = 'mk2'): Promise<Write[]> {
  const agent = await undefinedIfNotTried(agentToChange(run, generation));
  return agent === undefined ? [] : [updateOf(agent, generation)];
}

/** An update keeps the name of its agent, whatever name it is given. */
export function updateOf(agent: string, generation: Generation): Write {
  return {
    id: 'updateAgent',
    agent,
    generation,
    input: (metadata, more) => ({
      path: { agentName: agent },
      body: { metadata: { ...metadata, name: agent }, spec: specOf(generation), ...more },
    }),
  };
}

/** Of mk3 every update says so: what an agent becomes of which it is left out is not documented. */
export const specOf = (generation: Generation, spec: { readonly runtime?: object } = {}): object =>
  generation === 'mk2' ? spec : { ...spec, runtime: { generation, ...spec.runtime } };

/** Tells the writes of a run from one another. */
export const writeTitle = ({ id, generation }: Write): string => (generation === 'mk3' ? `${id} of mk3` : id);

/** Whether it may be done again and again: it creates nothing, or the target has shown that it removes what it creates. */
export const isRepeatable = (run: Run, { id, agent }: Write): boolean =>
  agent !== undefined || run.mayCreate(id) === Infinity;

/** Sends it, reads back what was accepted, and removes again what was created, if the target can. */
export async function performWrite(
  run: Run,
  { id, agent, input }: Write,
  metadata: object,
  { more, as = run.client }: { more?: object; as?: Client } = {},
): Promise<WriteResult> {
  const sent = input(metadata, more);
  const call = () => as.call(id, sent);
  const exchange = await (agent === undefined ? call() : eventually(call, isSettled, run.patienceSeconds));
  const isAccepted = isSuccessful(exchange);
  const read = isAccepted ? await readBack(run, id, sent) : undefined;
  if (isAccepted && agent === undefined) await removeByName(run, id, sent);
  return { input: sent, exchange, read };
}

/** While an agent is being deployed a further update may be in conflict or locked out. */
export const isSettled = ({ answer: { status } }: Exchange): boolean => status !== 409 && status !== 423;

/** By the GET of what the operation writes, which is documented nowhere: undefined where it is not answered 2xx. */
export async function readBack(run: Run, id: OperationId, input: CallInput): Promise<Exchange | undefined> {
  const one = describeCreation(id, input)?.removal ?? { operation: id, path: input.path ?? {} };
  const at = operation(one.operation).path;
  const read = operations.find(
    ({ surface, method, path }) => surface === 'management' && method === 'GET' && path === at,
  );
  if (read === undefined) return undefined;
  const exchange = await run.client.call(read.id, { path: one.path });
  return isSuccessful(exchange) ? exchange : undefined;
}

/** The first write of an operation in a run: all that a client may set, as long as it may be. Many rules read off its answer. */
export function firstWrite(run: Run, write: Write): Promise<WriteResult> {
  return firstWrites.get(run, writeTitle(write), () => performWrite(run, write, richMetadata(run)));
}

/** The first write, or a plain one where that was refused; undefined where that was, too. */
export function acceptedWrite(run: Run, write: Write): Promise<WriteResult | undefined> {
  return acceptedWriteResults.get(run, writeTitle(write), async () => {
    const rich = await firstWrite(run, write);
    if (isSuccessful(rich.exchange)) return rich;
    const plain = await performWrite(run, write, plainMetadata(run));
    return isSuccessful(plain.exchange) ? plain : undefined;
  });
}

/** Writes that this target accepts. Throws NotTried where there is none: what it then refuses says nothing. */
export async function acceptedWrites(run: Run, all: readonly Write[]): Promise<Write[]> {
  const found = [];
  for (const write of all) if ((await acceptedWrite(run, write)) !== undefined) found.push(write);
  run.need(found.length > 0, `one of ${all.map(({ id }) => id).join(', ')} that is accepted`);
  return found;
}
