/** Management operations without a valid credential: each is refused and has no effect. */
import { headerNames } from '../../../spec/brand.ts';
import { operation } from '../../../spec/operations.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { statusClass } from '../../expect/status.ts';
import { createOperations, plainMetadata } from '../provision/creates.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { createAndRemove } from '../provision/removal.ts';
import { acceptedWrite } from '../provision/writes.ts';
import type { Exchange } from '../../target/client.ts';
import { validReads } from '../versions/requests.ts';
import type { Stranger } from './carriers.ts';
import { notRefusedMismatches } from './refused.ts';
import { deleteCreated, tokenToDelete, versionToDelete } from './to-delete.ts';
import type { ToDelete } from './to-delete.ts';

/** The mismatches. Undefined if nothing could be judged on this target. */
type TryResult = Promise<Mismatch[] | undefined>;
type Try = (run: Run, strangers: readonly Stranger[]) => TryResult;

/** Operations that neither read nor create a resource with metadata. */
const triesByOperation: Readonly<Partial<Record<OperationId, Try>>> = {
  deleteSandboxPreviewToken: deletion('deleteSandboxPreviewToken', tokenToDelete),
  deleteVolumeTemplateVersion: deletion('deleteVolumeTemplateVersion', versionToDelete),
  deleteUnusedImages: imageCleanup,
};

/** Undefined for an operation that needs an entry above; `cli/e2e/every-operation.test.ts` then fails and names it. */
function tryOf(id: OperationId): Try | undefined {
  const { method } = operation(id);
  return triesByOperation[id] ?? (method === 'GET' ? read(id) : method === 'POST' ? create(id) : undefined);
}

/**
 * Calls each operation as the callers that it must refuse, if there are any, reads first. Throws NotTried if nothing could be judged on this
 * target.
 */
export async function checkRefused(
  run: Run,
  ids: readonly OperationId[],
  strangersOf: (id: OperationId) => Promise<readonly Stranger[]>,
): Promise<void> {
  let judged = 0;
  const tryAsStrangers = async (id: OperationId): Promise<Mismatch[]> => {
    const strangers = await strangersOf(id);
    if (strangers.length === 0) return [];
    const found = await tryOf(id)?.(run, strangers);
    if (found !== undefined) judged += 1;
    return found ?? [];
  };
  const reads = validReads(run).map((request) => request.id);
  const writes = run.target.allow === 'read' ? [] : ids.filter((id) => operation(id).method !== 'GET');
  await run.forEach([...ids.filter((id) => reads.includes(id)), ...writes], tryAsStrangers, { sequential: true });
  run.need(judged > 0, 'a management operation that accepts the strongest credential');
}

type Attempt = readonly [stranger: Stranger, exchange: Exchange];

async function sendAsEach(
  strangers: readonly Stranger[],
  send: (stranger: Stranger) => Promise<Exchange>,
): Promise<Attempt[]> {
  const all: Attempt[] = [];
  for (const stranger of strangers) all.push([stranger, await send(stranger)]);
  return all;
}

const judged = (all: readonly Attempt[], control: Exchange): Mismatch[] =>
  all.flatMap(([{ who }, exchange]) => notRefusedMismatches(exchange, who, control));

/**
 * Sent before and after a success: a server must not return a cached response to the next caller. Half of the strangers
 * call after it, also the first, who has no credential.
 */
function read(id: OperationId): Try {
  return async (run, strangers) => {
    const request = validReads(run).find((each) => each.id === id);
    if (request === undefined) return undefined;
    const send = (stranger: Stranger): Promise<Exchange> => stranger.send(id, request.input());
    const half = Math.ceil(strangers.length / 2);
    const before = await sendAsEach(strangers.slice(half), send);
    const control = await run.client.call(id, request.input());
    const after = await sendAsEach(strangers.slice(0, half), send);
    const found = judged([...before, ...after], control);
    return found.length > 0 || isSuccessful(control) ? found : undefined;
  };
}

/** Creations kept for other rules if the target cannot remove what is created. */
const RESERVED_BUDGET = 12;

/** All creates use one name, which must then still be available to a valid credential. */
function create(id: OperationId): Try {
  return async (run, strangers) => {
    const createOperation = createOperations(run).find((each) => each.id === id);
    if (createOperation === undefined || run.mayCreate(id) <= 0) return undefined;
    const control = await undefinedIfNotTried(acceptedWrite(run, createOperation));
    const described = (displayName: string) => createOperation.input({ ...plainMetadata(run), name, displayName });
    const name = run.newName();
    const all = await sendAsEach(strangers, (stranger) => stranger.send(id, described('Refused')));
    const noWorkspace = { [headerNames(run.target.brand).workspace]: undefined };
    const withoutWorkspace = await sendAsEach(strangers, (stranger) =>
      stranger.send(id, { ...described('Refused'), headers: noWorkspace }),
    );
    if (control === undefined) return undefined;
    // The missing workspace header is a second error, so only a success is certainly a violation.
    const found = [
      ...judged(all, control.exchange),
      ...withoutWorkspace.flatMap(([, exchange]) => acceptedMismatches(exchange)),
    ];
    if (found.length > 0 || run.mayCreate(id) <= RESERVED_BUDGET) return found;
    const fresh = await createAndRemove(run, id, described('Accepted'));
    if (isSuccessful(fresh)) return fresh.response.text.includes('"Refused"') ? [trace(fresh)] : [];
    const other = await createAndRemove(run, id, createOperation.input(plainMetadata(run)));
    return isSuccessful(other) ? statusClass(fresh, '2xx') : undefined;
  };
}

const trace = (exchange: Exchange): Mismatch => ({
  expected: 'the displayName of the accepted create',
  actual: 'the displayName of a refused create',
  exchange,
});

/** The resource must still exist for a caller with a valid credential. */
function deletion(id: OperationId, provide: (run: Run) => Promise<ToDelete>): Try {
  return async (run, strangers) => {
    if (run.target.allow === 'read') return undefined;
    const { own, control, listed } = await provide(run);
    const path = own ?? listed;
    if (path === undefined) return undefined;
    const all = await sendAsEach(strangers, (stranger) => stranger.send(id, { path }));
    // A resource of the target file is not deleted for this, so only a successful deletion is certainly a violation.
    if (own === undefined || control === undefined)
      return undefinedIfEmpty(all.flatMap(([, exchange]) => acceptedMismatches(exchange)));
    if (!isSuccessful(control)) return undefined;
    return [...judged(all, control), ...statusClass(await deleteCreated(run, id, own), '2xx')];
  };
}

/** Without a control request a mismatch still counts, but its absence proves nothing. */
const undefinedIfEmpty = (found: Mismatch[]): Mismatch[] | undefined => (found.length > 0 ? found : undefined);

const acceptedMismatches = (exchange: Exchange): Mismatch[] =>
  isSuccessful(exchange)
    ? [{ expected: 'a refusal (4xx)', actual: `status ${exchange.response.status}`, exchange }]
    : [];

/** This operation has no parameters. If the images can be listed, none may be missing afterwards. */
async function imageCleanup(run: Run, strangers: readonly Stranger[]): TryResult {
  if (run.target.allow !== 'destroy') return undefined;
  const id = 'deleteUnusedImages';
  const before = await run.client.call('listImages');
  const all = await sendAsEach(strangers, (stranger) => stranger.send(id, {}));
  if (all.every(([, { response }]) => [404, 405, 501].includes(response.status))) return undefined;
  const after = await run.client.call('listImages');
  const found = [
    ...all.flatMap(([{ who }, exchange]) => notRefusedMismatches(exchange, who, before)),
    ...noneMissing(before, after),
  ];
  return isSuccessful(before) ? found : undefinedIfEmpty(found);
}

/** Only images that both lists contain. */
export function noneMissing(before: Exchange, after: Exchange): Mismatch[] {
  const [had, has] = [before, after].map(({ response: { json } }) => (Array.isArray(json) ? json.length : 0));
  if (!isSuccessful(before) || !isSuccessful(after) || (has ?? 0) >= (had ?? 0)) return [];
  return [{ expected: `${had} images, as before the refused cleanup`, actual: `${has} images`, exchange: after }];
}
