/** Creates one name repeatedly, sequentially and concurrently: there is never a second resource of that name. */
import { setTimeout as wait } from 'node:timers/promises';
import { managementReadAt, operation } from '../../spec/operations.ts';
import type { Run } from '../engine/run.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { hasSecondPrecision, lateness, MORE_THAN_A_SECOND_MS } from '../expect/instant.ts';
import { statusClass } from '../expect/status.ts';
import { describeAccepted } from '../kit/provision/samples.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { removeByRequestedName, createAndRemove } from '../kit/provision/removal.ts';
import { clientFor, callerVariants } from '../kit/provision/caller-variants.ts';
import { isRepeatable, neededWrite, readBack } from '../kit/provision/writes.ts';
import type { WriteResult } from '../kit/provision/writes.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { isAfter, isSuccess, remember, sentMetadata, workspaceKey } from '../kit/resources/seen-resource.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import type { Mismatch } from '../target/violation.ts';

const CONCURRENT_CREATES = 5;

const inputOf = (create: CreateOperation, name: string, displayName: string) => create.input({ name, displayName });

/** The displayName of later creates of a name. */
const LATER = { second: 'The second', third: 'The third', byAnother: 'By another' };

interface Repeated {
  readonly mismatches: Mismatch[];
  /** Whether a response revealed if there is a second resource. */
  readonly isReported: boolean;
}

/** Creates an existing name twice more, with another name in between. Then removes it, if the target can. */
export async function createTwiceMore(run: Run, create: CreateOperation): Promise<Repeated> {
  const { exchange: first, input } = isRepeatable(run, create)
    ? await newResource(run, create)
    : await firstOfRun(run, create);
  const { name } = (input.body as { metadata: { name: string } }).metadata;
  const send = (displayName: string) => run.client.call(create.id, inputOf(create, name, displayName));
  await waitForNextSecond(first);
  const second = await send(LATER.second);
  if (isRepeatable(run, create)) await createAndRemove(run, create.id, inputOf(create, run.newName(), 'Another'));
  const third = await send(LATER.third);
  const byOthers = [];
  for (const variant of callerVariants(run).slice(1))
    byOthers.push(await clientFor(run, variant).call(create.id, inputOf(create, name, LATER.byAnother)));
  const findings = [
    ...[second, third, ...byOthers].flatMap((exchange) => refusedOrFirst(first, exchange, [first, second])),
    ...(await listedOnce(run, create, name)),
    ...(await isUnchanged(run, create, input, [second, third, ...byOthers])),
  ];
  if (isRepeatable(run, create)) await removeByRequestedName(run, create.id, input);
  return { mismatches: findings, isReported: [second, third, ...byOthers].some((later) => isReported(first, later)) };
}

/** After refused creates, a read returns the first resource unchanged. */
async function isUnchanged(
  run: Run,
  { id }: CreateOperation,
  input: CallInput,
  later: readonly Exchange[],
): Promise<Mismatch[]> {
  const read = later.some(isSuccessful) ? undefined : await readBack(run, id, input);
  const returned = read && metadataIn(read.response.json)['displayName'];
  if (read === undefined || !Object.values<unknown>(LATER).includes(returned)) return [];
  return [
    {
      expected: 'no change by a refused create',
      actual: `displayName ${String(returned)}`,
      exchange: read,
      before: later,
    },
  ];
}

type Created = Pick<WriteResult, 'exchange' | 'input'>;

async function newResource(run: Run, create: CreateOperation): Promise<Created> {
  const input = inputOf(create, run.newName(), 'The first');
  const exchange = await run.client.call(create.id, input);
  return run.need(isSuccessful(exchange) && { exchange, input }, describeAccepted(run, [{ id: create.id, exchange }]));
}

/** The run's first accepted create, for targets that cannot remove resources. */
const firstOfRun = (run: Run, create: CreateOperation): Promise<Created> => neededWrite(run, create);

/** Responses to a second create of a name. */
export async function secondStatus(run: Run, create: CreateOperation): Promise<number> {
  const { input } = isRepeatable(run, create) ? await newResource(run, create) : await firstOfRun(run, create);
  const { response } = await run.client.call(create.id, input);
  if (isRepeatable(run, create)) await removeByRequestedName(run, create.id, input);
  return response.status;
}

/** All successful responses must describe one resource; the others are refusals. */
export async function createConcurrently(run: Run, create: CreateOperation): Promise<Repeated> {
  const name = run.newName();
  const senders = Array.from({ length: CONCURRENT_CREATES }, (_, index) => `Sender ${index + 1}`);
  const send = (displayName: string) => run.client.call(create.id, inputOf(create, name, displayName));
  const exchanges = await Promise.all(senders.map(send));
  const [first, ...others] = exchanges.filter(isSuccessful);
  const findings = [
    ...exchanges.filter((exchange) => !isSuccessful(exchange)).flatMap((exchange) => statusClass(exchange, '4xx')),
    ...(first === undefined
      ? await oneIsAccepted(run, create, name, exchanges)
      : others.flatMap((exchange) => refusedOrFirst(first, exchange, exchanges))),
    ...(await listedOnce(run, create, name)),
  ];
  await removeByRequestedName(run, create.id, inputOf(create, name, ''));
  const revealsSecond = (later: Exchange): boolean =>
    first !== undefined && later !== first && isReported(first, later) && !mayBeOfOneSecond(later);
  return { mismatches: findings, isReported: exchanges.some(revealsSecond) };
}

/** If all creates were refused, the name must still be free, or become free again. */
async function oneIsAccepted(
  run: Run,
  create: CreateOperation,
  name: string,
  concurrent: readonly Exchange[],
): Promise<Mismatch[]> {
  const send = () => run.client.call(create.id, inputOf(create, name, 'Alone'));
  if (isSuccessful(await send())) return [];
  const control = await createAndRemove(run, create.id, inputOf(create, run.newName(), 'Control'));
  if (!isSuccessful(control)) return [];
  const alone = await eventually(send, isSuccessful, run.patienceSeconds);
  if (isSuccessful(alone)) return [];
  return [
    {
      ...statusClass(alone, '2xx')[0],
      expected: `one of ${CONCURRENT_CREATES} concurrent creates accepted`,
      actual: `statuses ${concurrent.map(({ response }) => response.status).join(', ')}`,
      exchange: alone,
      before: [concurrent],
    },
  ];
}

/** A later success must return the first resource, judged by createdAt. */
function refusedOrFirst(first: Exchange, later: Exchange, concurrent: readonly Exchange[]): Mismatch[] {
  if (!isSuccessful(later)) return statusClass(later, '4xx');
  const [firstWorkspace, laterWorkspace] = [first, later].map(workspaceOf);
  // Another workspace has its own names.
  if (firstWorkspace !== undefined && laterWorkspace !== undefined && firstWorkspace !== laterWorkspace) return [];
  const [firstCreatedAt, laterCreatedAt] = [createdAtOf(first), createdAtOf(later)];
  if (firstCreatedAt === undefined || laterCreatedAt === undefined || lateness(firstCreatedAt, laterCreatedAt) === 0)
    return [];
  return [
    {
      expected: `refused, or the first one, created at ${firstCreatedAt}`,
      actual: `one created at ${laterCreatedAt}`,
      exchange: later,
      concurrent: concurrent.filter((exchange) => exchange !== later),
    },
  ];
}

/**
 * Creates of the same name by the same caller that overlap. Between others, the first resource may have been removed.
 */
export function judgeOverlappingCreates(facts: Facts): (seen: Seen) => Judged {
  const known = new Map<string, readonly Seen[]>();
  return (seen) => {
    const { name } = sentMetadata(seen);
    const key = workspaceKey(seen, facts);
    if (key === undefined || typeof name !== 'string' || !isSuccess(seen) || seen.json === undefined) return undefined;
    const place = JSON.stringify([key, seen.operation.id, name]);
    const before = known.get(place) ?? [];
    remember(known, place, [...before, seen]);
    const overlapping = before.filter((first) => isOverlapping(first, seen));
    if (overlapping.length === 0) return undefined;
    return overlapping.flatMap((first) => refusedOrFirst(first.exchange, seen.exchange, [first.exchange]));
  };
}

const isOverlapping = (first: Seen, later: Seen): boolean =>
  first.sentAt !== undefined && later.sentAt !== undefined && !isAfter(first, later) && !isAfter(later, first);

const isReported = (first: Exchange, later: Exchange): boolean =>
  !isSuccessful(later) || [first, later].every((exchange) => createdAtOf(exchange) !== undefined);

/** Whether its createdAt could not distinguish two resources. */
function mayBeOfOneSecond(later: Exchange): boolean {
  const createdAt = createdAtOf(later);
  return isSuccessful(later) && createdAt !== undefined && hasSecondPrecision(createdAt);
}

/** The number of entries of that name in the list, if the target has the (undocumented) list operation. */
async function listedOnce(run: Run, { id }: CreateOperation, name: string): Promise<Mismatch[]> {
  const list = managementReadAt(operation(id).path);
  if (list === undefined || list.pathParameters.length > 0) return [];
  const exchange = await run.client.call(list.id);
  const { json } = exchange.response;
  if (!isSuccessful(exchange) || !Array.isArray(json)) return [];
  const found = json.filter((each) => metadataIn(each)['name'] === name);
  return found.length <= 1 ? [] : [{ expected: `one "${name}" in the list`, actual: String(found.length), exchange }];
}

function createdAtOf({ response }: Exchange): string | undefined {
  const { createdAt } = metadataIn(response.json);
  return typeof createdAt === 'string' ? createdAt : undefined;
}

const workspaceOf = ({ response }: Exchange): unknown => metadataIn(response.json)['workspace'];

/** Waits, because createdAt could not distinguish two resources of the same second. */
async function waitForNextSecond(first: Exchange): Promise<void> {
  const createdAt = createdAtOf(first);
  if (createdAt !== undefined && hasSecondPrecision(createdAt)) await wait(MORE_THAN_A_SECOND_MS);
}
