/** Waits until a read of an agent shows an update: briefly, if reads of this target have shown updates at once. */
import type { Run } from '../../engine/run.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { isFinalStatus } from '../../expect/final-status.ts';
import { fieldsOf } from '../../json/fields.ts';
import { eventually, isSuccessful, noteWait, waitedSecondsFor } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import { agentKind, agentUpdate, updateWhenSettled } from './agents.ts';
import type { Generation } from './agents.ts';
import type { Spec } from '../agents/accepted-values.ts';
import { noteUpdate } from './late-updates.ts';
import { readBack, type Write, type WriteResult } from './writes.ts';

interface UpdatedAgent {
  readonly name: string;
  readonly generation: Generation;
}

/** By kind of agent. Nothing is known of the time of other effects: serving, events, lists, metrics. */
type Timings = Map<string, 'immediate' | 'late'>;
const timings = sharedValue<Timings>();
const timingsOf = (run: Run): Promise<Timings> => timings.get(run, async () => new Map());

const UPDATE_COUNT = 3;

/**
 * Learns, once per run and kind of agent, whether updates are visible in the next read: by updates of this agent. Returns whether
 * it has sent any.
 */
export async function learnUpdateTiming(
  run: Run,
  agent: UpdatedAgent,
  read: () => Promise<Exchange | undefined>,
): Promise<boolean> {
  const known = await timingsOf(run);
  const kind = agentKind(run, agent.name, agent.generation);
  if (known.has(kind)) return false;
  known.set(kind, 'late');
  for (let count = 0; count < UPDATE_COUNT; count += 1) if (!(await isVisibleAtOnce(run, agent, read))) return true;
  known.set(kind, 'immediate');
  return true;
}

/**
 * An update of metadata and spec: one of them may be visible earlier than the other. Two fields of each are marked, because a
 * target may lose one. If it refuses these, one field of each is.
 */
async function isVisibleAtOnce(
  run: Run,
  { name, generation }: UpdatedAgent,
  read: () => Promise<Exchange | undefined>,
): Promise<boolean> {
  const mark = run.newName();
  const runtime = { generation, envs: [{ name: 'ASSAY_MARK', value: mark }] };
  const triggers = [{ id: mark, type: 'http', configuration: { path: `/${mark}` } }];
  const isAccepted = async (spec: Spec, labels: object): Promise<boolean> =>
    isSuccessful(
      await updateWhenSettled(run, run.client, agentUpdate(run, name, spec, { displayName: mark, ...labels })),
    );
  const accepted =
    (await isAccepted({ runtime, triggers }, { labels: { 'assay-mark': mark } })) ||
    (await isAccepted({ runtime }, {}));
  if (!accepted) return false;
  await noteUpdate(run, name, false);
  const agent = fieldsOf((await read())?.response.json);
  return [agent?.['metadata'], agent?.['spec']].every((part) => JSON.stringify(part ?? null).includes(mark));
}

/** Longer than a replica that responds usually lags behind another one. */
const BRIEF_SECONDS = 3;

/**
 * Like `eventually`, for reads of an agent after an update with this spec. Also waits for the whole time if the reads differ or
 * show a deployment, and for `enabled`, which may take effect later than the rest.
 */
export async function readUntilVisible(
  run: Run,
  { name, generation }: UpdatedAgent,
  spec: object,
  read: () => Promise<Exchange>,
  holds: (exchange: Exchange) => boolean,
  seconds: number = run.patienceSeconds,
): Promise<Exchange> {
  const first = await read();
  if (holds(first) || seconds === 0) return first;
  const known = await timingsOf(run);
  const kind = agentKind(run, name, generation);
  const brief = await eventually(read, holds, Math.min(seconds, BRIEF_SECONDS));
  const isOver = seconds <= BRIEF_SECONDS || (known.get(kind) === 'immediate' && isUnchanged(first, brief, spec));
  const last = isOver || holds(brief) ? brief : await eventually(read, holds, seconds - BRIEF_SECONDS);
  if (holds(last)) known.set(kind, 'late');
  else if (last !== brief) noteWait(last, (waitedSecondsFor(brief) ?? 0) + (waitedSecondsFor(last) ?? 0));
  return last;
}

/** Like readUntilVisible, after a write: reads of an agent may be stale for a while; reads of a new resource are not. */
export async function readWriteUntil(
  run: Run,
  { id, agent, generation = 'mk2' }: Write,
  { input, exchange, read: readFlaws = exchange }: WriteResult,
  holds: (returned: Exchange) => boolean,
  seconds: number = run.patienceSeconds,
): Promise<Exchange> {
  if (agent === undefined) return readFlaws;
  const read = async () => (await readBack(run, id, input)) ?? exchange;
  return readUntilVisible(run, { name: agent, generation }, specIn(input), read, holds, seconds);
}

const specIn = ({ body }: WriteResult['input']): object => (body as { spec?: object }).spec ?? {};

/** Like learnUpdateTiming, of the agent that the write updates. */
export const learnWriteTiming = async (run: Run, { id, agent, generation = 'mk2', input }: Write): Promise<boolean> =>
  agent !== undefined && learnUpdateTiming(run, { name: agent, generation }, () => readBack(run, id, input({})));

function isUnchanged(first: Exchange, last: Exchange, sent: object): boolean {
  const [before, after] = [first, last].map((exchange) => fieldsOf(exchange.response.json));
  if (!isSuccessful(last) || before === undefined || after === undefined) return false;
  const { status } = after;
  const isEnabled = (spec: unknown): boolean => fieldsOf(spec)?.['enabled'] !== false;
  return (
    JSON.stringify([before['metadata'], before['spec']]) === JSON.stringify([after['metadata'], after['spec']]) &&
    (status === undefined || isFinalStatus(status)) &&
    isEnabled(after['spec']) === isEnabled(sent)
  );
}
