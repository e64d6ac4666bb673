/** versions.listed.*: every management operation accepts every listed version that has it, in its form. */
import { versionsWith } from '../../spec/operation-versions.ts';
import { earliestStable } from '../../spec/versions.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { operation as rowOf } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import { eventually, isSettled, isSuccessful } from '../target/eventually.ts';
import { describeRefusal } from '../expect/describe-refusal.ts';
import { statusClass } from '../expect/status.ts';
import { requestVariants, clientOf, sendVariant } from '../kit/metrics/request-variants.ts';
import type { RequestVariant } from '../kit/metrics/request-variants.ts';
import { DAY, lastOf, pastWindow } from '../kit/metrics/windows.ts';
import { plainDisplayName, plainMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { repeatRefused } from '../kit/provision/quota.ts';
import { acceptsVariant, callerVariants, clientFor, defaultVariant } from '../kit/provision/caller-variants.ts';
import { agentWrites, plainestWrite } from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import type { Client, Exchange } from '../target/client.ts';
import { isVersionRefusal, withVersion } from '../kit/versions/with-version.ts';
import { limitMismatches, readMismatches, writeMismatches } from './listed-changes.ts';
import { firstPair } from './listed-creates.ts';
import { acceptedCreates, harmlessRequests, readsThatSucceed, validReads } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';
import { judges } from '../judge/judgement.ts';
import { isRefusedVersion, kindOfVersion, versionedOperations, versionOf } from '../kit/versions/seen-version.ts';

judges('versions.listed.accepted-everywhere', versionedOperations, (seen, facts) => {
  if (kindOfVersion(versionOf(seen, facts)) !== 'listed') return undefined;
  return isSuccessful(seen.exchange) || isRefusedVersion(seen) ? notRefused(seen.exchange) : undefined;
});

conforms('versions.listed.accepted-everywhere', async (run) => {
  const [creates, reads, harmless] = [await acceptedCreates(run), validReads(run), harmlessRequests(run)];
  const everywhere = <T extends { readonly operation: OperationId }>(requests: readonly T[]) =>
    requests.flatMap((request) => versionsWith(request.operation).map((version) => ({ ...request, version })));
  const successful = await readsThatSucceed(run);
  const ways = reads
    .filter(({ id }) => successful.has(id) || isAdded(id))
    .map(({ id: operation }) =>
      (isAdded(operation) ? [defaultVariant] : callerVariants(run)).map((way) => ({ operation, way })),
    );
  await run.forEach(everywhere(harmless.map(({ id: operation }) => ({ operation }))), async ({ operation, version }) =>
    notRefused(await withVersion(run, requestOf(harmless, operation), version)),
  );
  run.need(successful.size > 0 || creates.length > 0, 'a management operation that responds with 2xx');
  await run.forEach(
    everywhere(inTurn(ways)),
    async ({ operation, way, version }) => {
      const request = requestOf(reads, operation);
      const send = (as: Client) => withVersion(run, request, undefined, { as });
      const isAccepted = isAdded(operation) || (await acceptsVariant(run, { what: operation, variant: way }, send));
      if (!isAccepted) return [];
      const exchange = await withVersion(run, request, version, { as: clientFor(run, way) });
      const refused = statusClass(exchange, '2xx');
      if (refused.length > 0 || version === earliestStable) return refused;
      return readMismatches(version, operation, await send(clientFor(run, way)), exchange);
    },
    { all: true },
  );
  if (reads.some(({ id }) => id === 'getAccountMetrics')) {
    const { each } = await requestVariants(run);
    const variants = versionsWith('getAccountMetrics').flatMap((version) =>
      each.map((variant) => ({ ...variant, version })),
    );
    await run.forEach(variants, (variant) => metricsMismatches(run, variant, variant.version));
  }
  await run.forEach(everywhere(creates.map(({ id: operation }) => ({ operation }))), async ({ operation, version }) => {
    const create = creates.find(({ id }) => id === operation);
    return create === undefined
      ? []
      : [...(await isTaken(run, create, version)), ...(await limitMismatches(run, create, version))];
  });
  const [update] = run.target.allow === 'read' ? [] : await agentWrites(run);
  if (update !== undefined)
    await run.forEach(versionsWith('updateAgent'), (version) => updateMismatches(run, update, version));
});

/** If an update without the version is refused too, or one with it is accepted later, the version is not the cause. */
async function updateMismatches(run: Run, { id, input }: Write, version: string): Promise<Mismatch[]> {
  // A later version may have another name for it.
  const metadata = version === earliestStable ? {} : { displayName: plainDisplayName(run) };
  const send = (sent: string | undefined): Promise<Exchange> =>
    eventually(() => withVersion(run, { id, input: () => input(metadata) }, sent), isSettled, run.patienceSeconds);
  const first = await send(version);
  if (isSuccessful(first)) return writeMismatches(version, id, first);
  const absent = await send(undefined);
  if (!isSuccessful(absent)) return [];
  return statusClass(await send(version), '2xx').map((found) => ({ ...found, before: [absent] }));
}

/** Whether the earliest version does not have the operation: then no request without a version shows what a caller may do. */
const isAdded = (id: OperationId): boolean => rowOf(id).since !== undefined;

const requestOf = (requests: readonly ManagementRequest[], operation: OperationId): ManagementRequest | undefined =>
  requests.find(({ id }) => id === operation);

/** The first element of each list, then the second, and so on. */
const inTurn = <T>(lists: readonly (readonly T[])[]): T[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, nth) => lists.flatMap((list) => list.slice(nth, nth + 1))).flat();
};

/** Metrics with the parameters and the caller of a variant, if that request succeeds without the version. */
async function metricsMismatches(run: Run, variant: RequestVariant, version: string): Promise<Mismatch[]> {
  const day = lastOf(pastWindow(run), DAY);
  if (!isSuccessful(await sendVariant(run, variant, { ...day }))) return [];
  const request = { id: 'getAccountMetrics', input: () => ({ query: { ...variant.parameters, ...day } }) } as const;
  return statusClass(await withVersion(run, request, version, { as: clientOf(run, variant.caller) }), '2xx');
}

/**
 * If a create without the version is refused too, or the create is accepted later, the version is not the cause: a quota may be
 * full, or a connection that only one function may use may be in use.
 */
async function isTaken(run: Run, create: CreateOperation, version: string): Promise<Mismatch[]> {
  const { named } = await firstPair(run, create, version);
  if (isSuccessful(named)) return writeMismatches(version, create.id, named);
  if (isVersionRefusal(named)) return statusClass(named, '2xx');
  const repeated = repeatRefused(
    () => withVersion(run, { id: create.id, input: () => create.input(plainMetadata(run)) }, version),
    isSuccessful,
    async () => isSuccessful((await plainestWrite(run, create)).exchange),
  );
  const last = await undefinedIfNotTried(repeated);
  if (last !== undefined) return statusClass(last, '2xx');
  return run.skipInput(`a second ${create.id} that is accepted without a version (${describeRefusal(named)})`);
}

/** Any response but a refused version. */
function notRefused(exchange: Exchange): Mismatch[] {
  if (!isVersionRefusal(exchange)) return [];
  return [
    {
      expected: 'the listed version accepted',
      actual: `status ${exchange.response.status}, invalid_api_version`,
      exchange,
    },
  ];
}
