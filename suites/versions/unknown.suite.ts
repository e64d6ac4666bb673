/** Versions that are not listed are refused, with an answer that helps, and before anything happens. */
import * as fc from 'fast-check';
import type { OperationId } from '../../spec/operations.ts';
import { versions } from '../../spec/versions.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { scaleRuns } from '../engine/for-all.ts';
import {
  malformedVersion,
  malformedVersions,
  plainUnlisted,
  unlistedDate,
  unlistedDates,
  unlistedPreview,
  unlistedPreviews,
} from '../generators/version-value.ts';
import { requestVariants, clientOf, secondPageVariants } from '../kit/metrics/request-variants.ts';
import { DAY, lastOf, pastWindow } from '../kit/metrics/windows.ts';
import { acceptedVariants, clientFor, defaultVariant } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { isRepeatable } from '../kit/provision/writes.ts';
import type { Client, Exchange } from '../target/client.ts';
import { isVersionRefusal, refusedVersion, withVersion } from '../kit/versions/ask.ts';
import { unlistedDeletions } from '../kit/versions/deletions.ts';
import { refusedCleanUp, refusedThenDeleted, refusedThenFresh, refusedUpdateIsGone } from './refused-writes.ts';
import { acceptedCreates, validReads, validRequests } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';

conforms('versions.unknown.stable-date-refused', (run) => eachRefused(run, unlistedDate, unlistedDates));
conforms('versions.unknown.preview-refused', (run) => eachRefused(run, unlistedPreview, unlistedPreviews));
conforms('versions.unknown.malformed-refused', (run) => eachRefused(run, malformedVersion, malformedVersions));

const listed = versions.map(({ version }) => version);
/** Not as previews are written. */
const PREVIEW = '2025-11-30.Preview';

conforms('versions.unknown.message-names-it-and-the-valid-ones', async (run) => {
  const requests = await validRequests(run);
  const ids = [...requests.keys()];
  run.need(ids.length > 0, 'a management operation that answers 2xx');
  let refusals = 0;
  await run.forAll(
    { operation: fc.constantFrom(...ids), version: plainUnlisted },
    async ({ operation, version }) => {
      const exchange = await withVersion(run, requests.get(operation), version);
      if (!isVersionRefusal(exchange)) return [];
      refusals++;
      return messageNames(exchange, [version, ...listed]);
    },
    { runs: scaleRuns(run, 60), examples: ids.map((operation) => ({ operation, version: PREVIEW })) },
  );
  const deletions = (await unlistedDeletions(run, [PREVIEW])).filter(isVersionRefusal);
  run.check(...deletions.map((exchange) => messageNames(exchange, [PREVIEW, ...listed])));
  run.need(refusals > 0, 'an answer with error invalid_api_version');
});

conforms('versions.unknown.has-no-effect', async (run) => {
  run.need(run.target.allow !== 'read', 'write');
  // First: what is removed below may take its image with it.
  const tried = await refusedCleanUp(run, '2026-04-17');
  for (const [round, version] of ['2026-04-17', '2026-04-16.preview', 'latest'].entries()) {
    // Each round leaves something at a target that cannot remove it.
    const creates = (await acceptedCreates(run)).filter((create) => round === 0 || isRepeatable(run, create));
    for (const create of creates) tried.push(...(await refusedThenFresh(run, create, version)));
    tried.push(...(await refusedUpdateIsGone(run, version)), ...(await refusedThenDeleted(run, version)));
  }
  run.need(tried.length > 0, 'a write that is refused for its version and accepted without one');
  run.check(...tried);
});

interface Asked {
  readonly operation: OperationId;
  readonly way: CallerVariant;
}

type Requests = ReadonlyMap<OperationId, ManagementRequest>;

/** Every operation in each of the ways in which it is answered 2xx without the header. */
async function everyAsked(run: Run, requests: Requests): Promise<Asked[][]> {
  const creates = new Set<string>(
    (await acceptedCreates(run)).filter((create) => !isRepeatable(run, create)).map(({ id }) => id),
  );
  const all = [];
  for (const [operation, request] of requests) {
    const ask = (as: Client) => withVersion(run, request, undefined, { as });
    // Elsewhere each of them would leave something behind.
    const ways = creates.has(operation) ? [defaultVariant] : await acceptedVariants(run, operation, ask);
    all.push(ways.map((way) => ({ operation, way })));
  }
  return all;
}

/** At every operation the first three of the boundary values and each way, at one that reads all of them; generated ones at those that read. */
async function eachRefused(run: Run, version: fc.Arbitrary<string>, boundary: readonly string[]): Promise<void> {
  const requests = await validRequests(run);
  const all = await everyAsked(run, requests);
  const reading = new Set(validReads(run).map(({ id }) => id));
  const reads = all.filter(([asked]) => asked !== undefined && reading.has(asked.operation));
  const first = run.need(reads[0], 'a management operation that reads and answers 2xx');
  // A server may not remember what a caller has named before, and take that instead.
  for (const [asked] of reads) if (asked) await withVersion(run, requests.get(asked.operation), listed[0]);
  const everywhere = all.flatMap((asked) => paired(asked, boundary.slice(0, 3)));
  const property = async ({ asked: { operation, way }, version: value }: { asked: Asked; version: string }) =>
    refusedVersion(await withVersion(run, requests.get(operation), value, { as: clientFor(run, way) }));
  await run.forAll({ asked: fc.constantFrom(...reads.flat()), version }, property, {
    runs: scaleRuns(run, 60),
    examples: [...everywhere, ...paired(first, boundary)],
  });
  run.check(...(await unlistedDeletions(run, boundary.slice(0, 3))).map(refusedVersion));
  if (requests.has('getAccountMetrics')) await metricsRefused(run, version, boundary);
}

/** Metrics are asked in more ways than any other operation: with every parameter, by every caller that is answered. */
async function metricsRefused(run: Run, version: fc.Arbitrary<string>, boundary: readonly string[]): Promise<void> {
  const day = lastOf(pastWindow(run), DAY);
  const { each, any } = await requestVariants(run);
  await run.forAll(
    { asked: any, version },
    async ({ asked: { caller, parameters: beside }, version: value }) => {
      const request = { id: 'getAccountMetrics', input: () => ({ query: { ...beside, ...day } }) } as const;
      return refusedVersion(await withVersion(run, request, value, { as: clientOf(run, caller) }));
    },
    { runs: scaleRuns(run, 30), examples: paired([...each, ...(await secondPageVariants(run, day))], boundary) },
  );
}

/** Each of both at least once. */
const paired = <T>(asked: readonly T[], values: readonly string[]): { asked: T; version: string }[] =>
  Array.from({ length: Math.max(asked.length, values.length) }, (_, index) => ({
    asked: asked[index % asked.length]!,
    version: values[index % values.length]!,
  }));

function messageNames(exchange: Exchange, texts: readonly string[]): Mismatch[] {
  const { message } = (exchange.response.json ?? {}) as { message?: unknown };
  const missing = texts.filter((text) => typeof message !== 'string' || !message.includes(text));
  return missing.map((text) => ({
    expected: `a message that contains ${text}`,
    actual: `message ${JSON.stringify(message)}`,
    exchange,
  }));
}
