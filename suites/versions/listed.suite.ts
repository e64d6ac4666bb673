/** versions.listed.*: every management operation accepts the listed version. */
import { versions } from '../../spec/versions.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { requestVariants, clientOf } from '../kit/metrics/request-variants.ts';
import { DAY, lastOf, pastWindow } from '../kit/metrics/windows.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { isQuotaExhausted } from '../kit/provision/quota.ts';
import { acceptedVariants, clientFor } from '../kit/provision/caller-variants.ts';
import { performWrite } from '../kit/provision/writes.ts';
import type { Client, Exchange } from '../target/client.ts';
import { isVersionRefusal, withVersion } from '../kit/versions/with-version.ts';
import { firstPair } from './listed-creates.ts';
import { acceptedCreates, harmlessRequests, validReads } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';

// The agent update is covered by the refused one.
conforms('versions.listed.accepted-everywhere', async (run) => {
  const tried: Mismatch[][] = [];
  let accepted = 0;
  const creates = await acceptedCreates(run);
  const reads = validReads(run);
  for (const { version } of versions) {
    for (const request of harmlessRequests(run)) {
      const exchange = await withVersion(run, request, version);
      if (isSuccessful(exchange)) accepted += 1;
      tried.push(notRefused(exchange));
    }
    for (const request of reads) tried.push(...(await isTakenEitherWay(run, request, version)));
    if (reads.some(({ id }) => id === 'getAccountMetrics')) tried.push(...(await isAcceptedWith(run, version)));
    for (const create of creates) tried.push(await isTaken(run, create, version));
  }
  run.check(...tried);
  run.need(accepted > 0 || creates.length > 0, 'a management operation that responds with 2xx');
});

/** For each caller variant whose read succeeds without the version. */
async function isTakenEitherWay(run: Run, request: ManagementRequest, version: string): Promise<Mismatch[][]> {
  const send = (as: Client, named?: string) => withVersion(run, request, named, { as });
  if (!isSuccessful(await send(run.client))) return [];
  const found = [];
  for (const way of await acceptedVariants(run, request.id, send))
    found.push(statusClass(await send(clientFor(run, way), version), '2xx'));
  return found;
}

/** Metrics with each parameter, for every caller whose request succeeds. */
async function isAcceptedWith(run: Run, version: string): Promise<Mismatch[][]> {
  const day = lastOf(pastWindow(run), DAY);
  const found = [];
  for (const { caller, parameters } of (await requestVariants(run)).each) {
    const request = { id: 'getAccountMetrics', input: () => ({ query: { ...parameters, ...day } }) } as const;
    const send = (named?: string) => withVersion(run, request, named, { as: clientOf(run, caller) });
    if (isSuccessful(await send())) found.push(statusClass(await send(version), '2xx'));
  }
  return found;
}

/** If a create without the version is now refused too, for example because of a quota, the version is not the cause. */
async function isTaken(run: Run, create: CreateOperation, version: string): Promise<Mismatch[]> {
  const { named } = await firstPair(run, create, version);
  if (!isQuotaExhausted(named)) return statusClass(named, '2xx');
  const control = await undefinedIfNotTried(performWrite(run, create, plainMetadata(run)));
  return control !== undefined && isSuccessful(control.exchange) ? statusClass(named, '2xx') : [];
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
