/** Creates one name again and again, one after the other and all at once: there is never a second resource of that name. */
import { setTimeout as wait } from 'node:timers/promises';
import { operation, operations } from '../../spec/operations.ts';
import type { Run } from '../engine/run.ts';
import { isSuccessful } from '../target/eventually.ts';
import { hasSecondPrecision, lateness, MORE_THAN_A_SECOND_MS } from '../expect/instant.ts';
import { statusClass } from '../expect/status.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { removeByName, createAndRemove } from '../kit/provision/removal.ts';
import { clientFor, callerVariants } from '../kit/provision/caller-variants.ts';
import { acceptedWrite, isRepeatable, readBack } from '../kit/provision/writes.ts';
import type { WriteResult } from '../kit/provision/writes.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import type { Mismatch } from '../target/violation.ts';

const AT_ONCE = 5;

const inputOf = (create: CreateOperation, name: string, displayName: string) => create.input({ name, displayName });

/** What later creates of a name give as displayName. */
const LATER = { second: 'The second', third: 'The third', byAnother: 'By another' };

interface Repeated {
  readonly mismatches: Mismatch[];
  /** An answer told whether there is a second one. */
  readonly isTold: boolean;
}

/** Sends the name of something that is there twice more, and another one in between; then removes it, if the target can. */
export async function oneAfterTheOther(run: Run, create: CreateOperation): Promise<Repeated> {
  const { exchange: first, input } = isRepeatable(run, create) ? await fresh(run, create) : await kept(run, create);
  const { name } = (input.body as { metadata: { name: string } }).metadata;
  const send = (displayName: string) => run.client.call(create.id, inputOf(create, name, displayName));
  await pastItsSecond(first);
  const second = await send(LATER.second);
  if (isRepeatable(run, create)) await createAndRemove(run, create.id, inputOf(create, run.newName(), 'Another'));
  const third = await send(LATER.third);
  const byOthers = [];
  for (const way of callerVariants(run).slice(1))
    byOthers.push(await clientFor(run, way).call(create.id, inputOf(create, name, LATER.byAnother)));
  const findings = [
    ...[second, third, ...byOthers].flatMap((exchange) => refusedOrTheFirst(first, exchange, [first, second])),
    ...(await listedOnce(run, create, name)),
    ...(await leftAlone(run, create, input, [second, third, ...byOthers])),
  ];
  if (isRepeatable(run, create)) await removeByName(run, create.id, input);
  return { mismatches: findings, isTold: [second, third, ...byOthers].some((later) => isTold(first, later)) };
}

/** A read of the first one shows nothing of creates all of which were refused. */
async function leftAlone(
  run: Run,
  { id }: CreateOperation,
  input: CallInput,
  later: readonly Exchange[],
): Promise<Mismatch[]> {
  const read = later.some(isSuccessful) ? undefined : await readBack(run, id, input);
  const shown = read && metadataIn(read.response.json)['displayName'];
  if (read === undefined || !Object.values<unknown>(LATER).includes(shown)) return [];
  return [
    {
      expected: 'nothing of a create that was refused',
      actual: `displayName ${String(shown)}`,
      exchange: read,
      before: later,
    },
  ];
}

type Made = Pick<WriteResult, 'exchange' | 'input'>;

async function fresh(run: Run, create: CreateOperation): Promise<Made> {
  const input = inputOf(create, run.newName(), 'The first');
  const exchange = await run.client.call(create.id, input);
  return run.need(isSuccessful(exchange) && { exchange, input }, `a ${create.id} that is accepted`);
}

/** What a target that cannot remove has kept of the first create that was accepted. */
async function kept(run: Run, create: CreateOperation): Promise<Made> {
  return run.need(await acceptedWrite(run, create), `a ${create.id} that is accepted`);
}

/** What a second create of a name is answered. */
export async function secondStatus(run: Run, create: CreateOperation): Promise<string> {
  const { input } = isRepeatable(run, create) ? await fresh(run, create) : await kept(run, create);
  const { response } = await run.client.call(create.id, input);
  if (isRepeatable(run, create)) await removeByName(run, create.id, input);
  return String(response.status);
}

/** Of the answers some are of one and the same resource, and the others are refusals. */
export async function allAtOnce(run: Run, create: CreateOperation): Promise<Mismatch[]> {
  const name = run.newName();
  const senders = Array.from({ length: AT_ONCE }, (_, index) => `Sender ${index + 1}`);
  const send = (displayName: string) => run.client.call(create.id, inputOf(create, name, displayName));
  const exchanges = await Promise.all(senders.map(send));
  const [first, ...others] = exchanges.filter(isSuccessful);
  const findings = [
    ...exchanges.filter((exchange) => !isSuccessful(exchange)).flatMap((exchange) => statusClass(exchange, '4xx')),
    ...(first === undefined
      ? await freeOrTaken(run, create, name, exchanges)
      : others.flatMap((exchange) => refusedOrTheFirst(first, exchange, exchanges))),
    ...(await listedOnce(run, create, name)),
  ];
  await removeByName(run, create.id, inputOf(create, name, ''));
  return findings;
}

/** All were refused: then the name is still free, or else none of them can have been the first. */
async function freeOrTaken(
  run: Run,
  create: CreateOperation,
  name: string,
  atOnce: readonly Exchange[],
): Promise<Mismatch[]> {
  const alone = await run.client.call(create.id, inputOf(create, name, 'Alone'));
  if (isSuccessful(alone)) return [];
  const control = await createAndRemove(run, create.id, inputOf(create, run.newName(), 'Control'));
  if (!isSuccessful(control)) return [];
  return [
    {
      ...statusClass(alone, '2xx')[0],
      expected: `one of ${AT_ONCE} creates at once accepted`,
      actual: 'none',
      exchange: alone,
      before: [atOnce],
    },
  ];
}

/** A later answer of success is of the first resource, as far as createdAt tells. */
function refusedOrTheFirst(first: Exchange, later: Exchange, atOnce: readonly Exchange[]): Mismatch[] {
  if (!isSuccessful(later)) return statusClass(later, '4xx');
  const [there, here] = [first, later].map(workspaceOf);
  if (there !== undefined && here !== undefined && there !== here) return []; // of another workspace: names are free there
  const [was, is] = [createdAtOf(first), createdAtOf(later)];
  if (was === undefined || is === undefined || lateness(was, is) === 0) return [];
  return [
    {
      expected: `refused, or the first one, created at ${was}`,
      actual: `one created at ${is}`,
      exchange: later,
      beside: atOnce.filter((exchange) => exchange !== later),
    },
  ];
}

const isTold = (first: Exchange, later: Exchange): boolean =>
  !isSuccessful(later) || [first, later].every((exchange) => createdAtOf(exchange) !== undefined);

/** In the list of its kind, where the target has one, which the interface does not show. */
async function listedOnce(run: Run, { id }: CreateOperation, name: string): Promise<Mismatch[]> {
  const { path } = operation(id);
  const list = operations.find((each) => each.surface === 'management' && each.method === 'GET' && each.path === path);
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

/** A createdAt in whole seconds would be that of a second resource as well. */
async function pastItsSecond(first: Exchange): Promise<void> {
  const createdAt = createdAtOf(first);
  if (createdAt !== undefined && hasSecondPrecision(createdAt)) await wait(MORE_THAN_A_SECOND_MS);
}
