/** Writes metadata with every documented operation that accepts it, including agent updates, and reads it back if possible. */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { managementReadAt, operation } from '../../../spec/operations.ts';
import { isInvalid } from '../../expect/status.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { eventually, isSettled, isSuccessful } from '../../target/eventually.ts';
import type { Run } from '../../engine/run.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { CallInput } from '../../target/request-types.ts';
import { describeCreation } from '../../target/creations.ts';
import { agentSpec } from '../agents/agent-spec.ts';
import type { Spec } from '../agents/accepted-values.ts';
import { agentToChange } from './agents.ts';
import type { Generation } from './agents.ts';
import {
  createOperations,
  lackingSample,
  madeUpSpecs,
  plainestMetadata,
  plainMetadata,
  richMetadata,
  sendNoDisplayName,
  useSpec,
} from './creates.ts';
import { undefinedIfNotTried } from './undefined-if-not-tried.ts';
import { describeAccepted, mayBeOfContent } from './samples.ts';
import type { RefusedWrite } from './samples.ts';
import { withAllPlaces, withPlace } from './places.ts';
import { createAndRemove, removeByRequestedName } from './removal.ts';
import { sharedValue, sharedValues } from '../../engine/shared-values.ts';

const firstWrites = sharedValues<WriteResult>();
/** By operation. */
const specSearches = sharedValues<void>();
const sharedWrites = sharedValues<WriteResult>();

/** An operation that accepts metadata, and an otherwise valid body. */
export interface Write {
  readonly id: OperationId;
  /** The agent that it updates. Undefined for creates. */
  readonly agent?: string;
  /** Of that agent. */
  readonly generation?: Generation;
  /** `more` is merged into the body next to metadata and spec. */
  readonly input: (metadata: object, more?: object) => CallInput;
}

export interface WriteResult {
  readonly input: CallInput;
  readonly exchange: Exchange;
  /** The read after the write. Undefined if the target has no such operation. */
  readonly read: Exchange | undefined;
}

/**
 * Every create whose references the target file provides, and that the user declares if operations are declared; and the agent
 * update if there is an agent to change.
 */
export const writes = async (run: Run): Promise<Write[]> => [
  ...createOperations(run).filter(({ id }) => run.target.operations?.includes(id) !== false),
  ...(await agentWrites(run)),
];

/** Like writes, with the update of an mk3 agent. */
export const everyWrite = async (run: Run): Promise<Write[]> => [
  ...(await writes(run)),
  ...(await agentWrites(run, 'mk3')),
];

/** The agent update. Empty if there is no agent to change. */
export async function agentWrites(run: Run, generation: Generation = 'mk2'): Promise<Write[]> {
  const agent = await undefinedIfNotTried(agentToChange(run, generation));
  return agent === undefined ? [] : [updateOf(run, agent, generation)];
}

/** An update always sends the name of its agent. */
export function updateOf(run: Pick<Run, 'shared' | 'target'>, agent: string, generation: Generation): Write {
  return {
    id: 'updateAgent',
    agent,
    generation,
    input: (metadata, more = {}) => {
      const { spec = {}, ...others } = more as { readonly spec?: Spec };
      const sent = agentSpec(run, withGeneration(generation, spec));
      return { path: { agentName: agent }, body: { metadata: { ...metadata, name: agent }, spec: sent, ...others } };
    },
  };
}

/** Every mk3 update sends the generation, because the effect of omitting it is not documented. */
const withGeneration = (generation: Generation, spec: Spec): Spec =>
  generation === 'mk2' ? spec : { ...spec, runtime: { generation, ...spec.runtime } };

/** Unique among the writes of a run. */
export const writeTitle = ({ id, generation }: Write): string => (generation === 'mk3' ? `${id} of mk3` : id);

/** Whether it may be repeated without limit: it creates nothing, or the target has removed such a resource. */
export const isRepeatable = (run: Run, { id, agent }: Write): boolean =>
  agent !== undefined || run.mayCreate(id) === Infinity;

export interface WriteOptions {
  readonly more?: { readonly spec?: unknown };
  readonly as?: Client;
  /** Whether the caller has ensured that no other resource is created at the same time. */
  readonly isAlone?: boolean;
  /** Whether to read the result of the write back. Defaults to true, except in a quick run. */
  readonly isRead?: boolean;
}

/** Sends the write, reads the result back, and removes what was created if the target can. */
export async function performWrite(
  run: Run,
  { id, agent, input }: Write,
  metadata: object,
  { more, as = run.client, isAlone = false, isRead = !run.isQuick }: WriteOptions = {},
): Promise<WriteResult> {
  const send = async (): Promise<WriteResult> => {
    const sent = input(metadata, more);
    const call = () => as.call(id, sent);
    const exchange = await (agent === undefined ? call() : eventually(call, isSettled, run.patienceSeconds));
    const isAccepted = isSuccessful(exchange);
    const read = isAccepted && isRead ? await readBack(run, id, sent) : undefined;
    if (isAccepted && agent === undefined) await removeByRequestedName(run, id, sent);
    return { input: sent, exchange, read };
  };
  const first = await (agent !== undefined || isAlone ? send() : withPlace(run, send));
  const result =
    agent === undefined ? await repeatInvalid(run, id, first, isAlone ? send : () => withAllPlaces(run, send)) : first;
  // A caller that holds all places has written before.
  if (agent !== undefined || isAlone || more?.spec !== undefined || !mayBeOfContent(result.exchange)) return result;
  await findAcceptedSpec(run, { id, input });
  const isChanged = !isDeepStrictEqual(input(metadata, more), result.input);
  return isChanged ? withPlace(run, send) : result;
}

/** Other cases remove theirs first: a target may allow one resource of a region, or one function of a connection. Refusals because of the metadata are judged by other rules. */
export const writeAlone = (run: Run, write: Write): Promise<WriteResult> =>
  withAllPlaces(run, () => plainestWrite(run, write, { isAlone: true }));

const PAUSE_MS = 2000;
/** A create may really be invalid. */
const MAX_IN_VAIN = 2;

/** Per operation, how many repetitions were refused as well. */
const refusedAgain = sharedValue<Map<OperationId, number>>();

/** Repeats an invalid create once, alone and after a pause: some servers report a rate limit as 400. */
async function repeatInvalid(
  run: Run,
  id: OperationId,
  first: WriteResult,
  repeat: () => Promise<WriteResult>,
): Promise<WriteResult> {
  const counts = await refusedAgain.get(run, async () => new Map());
  const count = counts.get(id) ?? 0;
  if (!isInvalid(first.exchange) || count >= MAX_IN_VAIN) return first;
  await wait(PAUSE_MS);
  const repeated = await repeat();
  if (isInvalid(repeated.exchange)) counts.set(id, count + 1);
  return repeated;
}

/** After a refused create: if the target also refuses plain metadata, tries other specs than the one that the run has made up. */
function findAcceptedSpec(run: Run, { id, input }: Write): Promise<void> {
  return specSearches.get(run, id, async () => {
    const madeUp = madeUpSpecs[id];
    if (madeUp === undefined || lackingSample(run, id) === undefined) return;
    const isRefused = async (): Promise<boolean> =>
      mayBeOfContent(await createAndRemove(run, id, input(plainestMetadata(run, id))));
    const { spec } = input({}).body as { spec: Record<string, unknown> };
    for (const other of [undefined, ...madeUp.others(spec, run)]) {
      useSpec(run, id, other);
      if (!(await isRefused())) return;
    }
    useSpec(run, id, undefined);
  });
}

/** With the undocumented GET of the resource. Undefined if it does not succeed. */
export async function readBack(run: Run, id: OperationId, input: CallInput): Promise<Exchange | undefined> {
  const one = describeCreation(id, input)?.removal ?? { operation: id, path: input.path ?? {} };
  const read = managementReadAt(operation(one.operation).path);
  if (read === undefined) return undefined;
  const exchange = await run.client.call(read.id, { path: one.path });
  return isSuccessful(exchange) ? exchange : undefined;
}

/** The first write of an operation in a run, with all metadata at maximum length. Many rules check its response. */
export function firstWrite(run: Run, write: Write): Promise<WriteResult> {
  return firstWrites.get(run, writeTitle(write), () => performWrite(run, write, richMetadata(run), { isRead: true }));
}

/** The first write, or a plain one if it was refused. Undefined if both were refused. */
export async function acceptedWrite(run: Run, write: Write): Promise<WriteResult | undefined> {
  const result = await sharedWrite(run, write);
  return isSuccessful(result.exchange) ? result : undefined;
}

/** Like acceptedWrite. Throws NotTried if both were refused: a refusal then means nothing. */
export async function neededWrite(run: Run, write: Write): Promise<WriteResult> {
  const result = await sharedWrite(run, write);
  run.need(isSuccessful(result.exchange), describeAccepted(run, [{ id: write.id, exchange: result.exchange }]));
  return result;
}

/** Writes that this target accepts. Throws NotTried if there are none. */
export async function acceptedWrites(run: Run, all: readonly Write[]): Promise<Write[]> {
  const found = [];
  const refused: RefusedWrite[] = [];
  for (const write of all) {
    const { exchange } = await sharedWrite(run, write);
    if (isSuccessful(exchange)) found.push(write);
    else refused.push({ id: write.id, exchange });
  }
  run.need(found.length > 0, describeAccepted(run, refused));
  return found;
}

function sharedWrite(run: Run, write: Write): Promise<WriteResult> {
  return sharedWrites.get(run, writeTitle(write), async () => {
    const rich = await firstWrite(run, write);
    if (isSuccessful(rich.exchange)) return rich;
    const plain = await performWrite(run, write, plainMetadata(run));
    return isInvalid(plain.exchange) ? plainestWrite(run, write) : plain;
  });
}

/**
 * With the metadata that a target refuses least: a displayName of letters and digits, and if that is refused, only the name
 * (decision 017). The first of the two if both are refused.
 */
export async function plainestWrite(
  run: Run,
  write: Write,
  options?: WriteOptions,
  name: string = run.newName(),
): Promise<WriteResult> {
  const metadata = { ...plainestMetadata(run, write.id), name };
  const first = await performWrite(run, write, metadata, options);
  if (metadata.displayName === undefined || !mayBeOfContent(first.exchange)) return first;
  const unnamed = await performWrite(run, write, { name: run.newName() }, options);
  if (!isSuccessful(unnamed.exchange)) return first;
  sendNoDisplayName(run, write.id);
  return unnamed;
}

/** The first write; a plain one if it was refused, because other rules judge its metadata; and that alone if it was refused, too. */
export async function leastRefusedWrite(run: Run, write: Write): Promise<WriteResult> {
  const rich = await firstWrite(run, write);
  if (isSuccessful(rich.exchange)) return rich;
  const plain = await plainestWrite(run, write);
  const isFinal = isSuccessful(plain.exchange) || plain.exchange.response.status === 401;
  return isFinal ? plain : writeAlone(run, write);
}
