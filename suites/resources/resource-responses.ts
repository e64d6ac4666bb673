/** Responses with resources, requested once per run and shared by every rule about the envelope. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Scope } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { eventually, isSettled, isSuccessful } from '../target/eventually.ts';
import { hasSecondPrecision, MORE_THAN_A_SECOND_MS } from '../expect/instant.ts';
import { isFinalStatus } from '../expect/final-status.ts';
import { generations } from '../kit/provision/agents.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { callersOf, clientOf } from '../kit/provision/callers.ts';
import { agentWrites, everyWrite, firstWrite, readBack } from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import type { Client, Exchange } from '../target/client.ts';
import { metadataOf, returnedResource } from '../kit/resources/returned-resource.ts';
import { sharedValues } from '../engine/shared-values.ts';

const updatesByGeneration = sharedValues<Updated>();

/** Successful creates and agent updates. Throws NotTried if there is none. */
export async function resourceResponses(run: Run): Promise<Exchange[]> {
  run.need(run.target.allow !== 'read', 'write');
  const found = [];
  for (const write of await everyWrite(run)) found.push((await firstWrite(run, write)).exchange);
  // At the same time, because each waits for a deployment.
  const updated = await Promise.all(generations.map((generation) => agentUpdates(run, generation)));
  found.push(...updated.flatMap(({ exchanges }) => exchanges));
  const successes = found.filter(isSuccessful);
  run.need(successes.length > 0, 'a create or an agent update that is accepted');
  return successes;
}

interface Update {
  readonly spec?: Record<string, unknown>;
  readonly metadata?: object;
  readonly as?: Client;
}

/** Updates that each change one thing. Every caller that may update sends one of them. */
function updates(run: Run, mayBePublic: boolean): Update[] {
  const [first, ...others] = updaters(run);
  const changes: Update[] = [
    { metadata: { displayName: 'One', labels: { round: 'one' } } },
    { spec: { enabled: false } },
    { spec: { enabled: true }, metadata: { labels: {} } },
    ...(run.isQuick ? [] : [{ spec: { runtime: { envs: [{ name: 'ASSAY_ROUND', value: 'two' }] } } }, {}]),
    ...(!run.isQuick && mayBePublic ? [{ spec: { public: true } }, { spec: { public: false } }] : []),
  ];
  return changes.map((change, index) => {
    const as = [first, ...others][index % (others.length + 1)];
    return { ...change, ...(as && { as }) };
  });
}

function updaters(run: Run): Client[] {
  const scope: Scope = 'agents:update';
  const scoped = run.target.credentials.scoped[scope] === undefined ? [] : [run.as({ scoped: scope })];
  return [...callersOf(run).map((caller) => clientOf(run, caller)), ...scoped];
}

export interface Updated {
  /** Before the first update, if the target can read agents. */
  readonly before: Exchange | undefined;
  readonly exchanges: readonly Exchange[];
}

/** Consecutive updates of an agent, the last ones after its deployment completed. Empty without an agent. */
export function agentUpdates(run: Run, generation: Generation): Promise<Updated> {
  return updatesByGeneration.get(run, generation, async () => {
    const [write] = await agentWrites(run, generation);
    if (write === undefined) return { before: undefined, exchanges: [] };
    const { id, input } = write;
    // Not an agent that others use.
    const mayBePublic = generation === 'mk3' && write.agent?.startsWith(run.prefix) === true;
    const read = () => readBack(run, id, input({}));
    const before = await read();
    const exchanges = await sent(run, write, updates(run, mayBePublic));
    // Few deployments take less time, and times in whole seconds are equal within the same second.
    if (before !== undefined || exchanges.some(hasCoarseTimes)) await wait(MORE_THAN_A_SECOND_MS);
    if (before !== undefined) await eventually(async () => (await read()) ?? before, isAtRest, run.patienceSeconds);
    // The last one enables the agent for the cases that use it next.
    return { before, exchanges: [...exchanges, ...(await sent(run, write, updates(run, mayBePublic).slice(1, 3)))] };
  });
}

async function sent(run: Run, { id, input }: Write, all: readonly Update[]): Promise<Exchange[]> {
  const exchanges = [];
  for (const { spec, metadata, as = run.client } of all) {
    const update = () => as.call(id, input(metadata ?? {}, { spec }));
    exchanges.push(await eventually(update, isSettled, run.patienceSeconds));
  }
  return exchanges;
}

function isAtRest(exchange: Exchange): boolean {
  const status = returnedResource(exchange)?.resource['status'];
  return status === undefined || isFinalStatus(status);
}

function hasCoarseTimes(exchange: Exchange): boolean {
  const returned = returnedResource(exchange);
  const { createdAt, updatedAt } = returned === undefined ? {} : metadataOf(returned);
  return [createdAt, updatedAt].some((time) => typeof time === 'string' && hasSecondPrecision(time));
}
