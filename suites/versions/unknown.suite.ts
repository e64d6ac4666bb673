/** versions.unknown.*: unlisted versions are refused, with a helpful message and without any effect. */
import * as fc from 'fast-check';
import type { OperationId } from '../../spec/operations.ts';
import { versions } from '../../spec/versions.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
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
import {
  acceptsVariant,
  callerVariants,
  clientFor,
  defaultVariant,
  variantAt,
} from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { withAllPlaces } from '../kit/provision/places.ts';
import { isRepeatable } from '../kit/provision/writes.ts';
import { isRefused } from '../expect/status.ts';
import { eventually, isSettled, isSuccessful } from '../target/eventually.ts';
import type { Client, Exchange } from '../target/client.ts';
import { needRefusal } from '../kit/versions/need-refusal.ts';
import { isVersionRefusal, refusedVersion, withVersion } from '../kit/versions/with-version.ts';
import { deletions, unlistedDeletion, versionedDeletions } from '../kit/versions/deletions.ts';
import { refusedBetweenAccepted } from './refused-between-accepted.ts';
import { refusedCleanUp, refusedThenDeleted, refusedThenFresh, refusedUpdatesAreGone } from './refused-writes.ts';
import { acceptedCreates, validReads, validRequests } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';
import { tracedOperations, tracesOfRefused } from '../kit/auth/seen-traces.ts';
import { judges, judgesInOrder, refuses } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import {
  isPlainRead,
  isRefusedVersion,
  kindOfVersion,
  versionedOperations,
  versionOf,
} from '../kit/versions/seen-version.ts';

const kinds = {
  'versions.unknown.stable-date-refused': 'date',
  'versions.unknown.preview-refused': 'preview',
  'versions.unknown.malformed-refused': 'malformed',
} as const;

for (const [rule, kind] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
  refuses(rule, versionedOperations, {
    isFlawed: (seen, facts) => kindOfVersion(versionOf(seen, facts)) === kind,
    status: 400,
    response: (seen) => refusedVersion(seen.exchange),
    unless: (seen) => !isSuccessful(seen.exchange) && !isAboutVersion(seen),
  });
}

/** Other refusals may have other reasons, such as a resource that does not exist or an invalid body. */
const isAboutVersion = (seen: Seen): boolean => (seen.status === 400 && isPlainRead(seen)) || isRefusedVersion(seen);

conforms('versions.unknown.stable-date-refused', (run) => eachRefused(run, unlistedDate, unlistedDates));
conforms('versions.unknown.preview-refused', (run) => eachRefused(run, unlistedPreview, unlistedPreviews));
conforms('versions.unknown.malformed-refused', (run) => eachRefused(run, malformedVersion, malformedVersions));

const listedBefore = sharedValue<void>();
const refusalOfRun = sharedValue<Exchange | undefined>();
/** Refused writes whose effect was checked, in all rounds. */
const triedWrites = sharedValue<{ count: number }>();

const listed = versions.map(({ version }) => version);
/** Values that are not formatted as previews. */
const PREVIEW = '2025-11-30.Preview-of-a-later-version';

judges('versions.unknown.message-names-it-and-the-valid-ones', versionedOperations, (seen, facts) => {
  const version = versionOf(seen, facts);
  // A server may escape other characters, and shorten longer values.
  if (version === undefined || !/^[A-Za-z0-9][A-Za-z0-9._:~-]{0,99}$/.test(version)) return undefined;
  if (seen.status !== 400 || !isRefusedVersion(seen)) return undefined;
  return messageNames(seen.exchange, [version, ...listed]);
});

conforms('versions.unknown.message-names-it-and-the-valid-ones', async (run) => {
  const requests = await validRequests(run);
  const ids = [...requests.keys()];
  run.need(ids.length > 0, 'a management operation that responds with 2xx');
  const found = await refusalOfRun.get(run, () => firstRefusal(run, [...requests.values()]));
  const refusal = await needRefusal(run, found, 'a response with error invalid_api_version', PREVIEW);
  run.check(messageNames(refusal, [PREVIEW, ...listed]));
  await run.forAll(
    { operation: fc.constantFrom(...ids), version: plainUnlisted },
    async ({ operation, version }) => {
      const exchange = await withVersion(run, requests.get(operation), version);
      return isVersionRefusal(exchange) ? messageNames(exchange, [version, ...listed]) : [];
    },
    {
      examples: [PREVIEW, '2026-04-17', 'latest'].flatMap((version) =>
        ids.map((operation) => ({ operation, version })),
      ),
    },
  );
  await run.forEach(versionedDeletions(run), async (id) =>
    (await unlistedDeletion(run, id, [PREVIEW]))
      .filter(isVersionRefusal)
      .flatMap((exchange) => messageNames(exchange, [PREVIEW, ...listed])),
  );
});

async function firstRefusal(run: Run, requests: readonly ManagementRequest[]): Promise<Exchange | undefined> {
  for (const request of requests) {
    const exchange = await withVersion(run, request, PREVIEW);
    if (isVersionRefusal(exchange)) return exchange;
  }
  return undefined;
}

// Whether another write had an effect cannot be seen for certain: somebody else may have sent it again.
judgesInOrder('versions.unknown.has-no-effect', tracedOperations, () =>
  tracesOfRefused(isRefusedVersion, (status) => status === 400),
);

conforms('versions.unknown.has-no-effect', async (run) => {
  run.need(run.target.allow !== 'read', 'write');
  const tried = await triedWrites.get(run, async () => ({ count: 0 }));
  const judge = (found: readonly Mismatch[][]): Mismatch[] => {
    tried.count += found.length;
    return found.flat();
  };
  // First, because the removals below may also remove images.
  run.check(judge(await refusedCleanUp(run, REFUSED)));
  const creates = await acceptedCreates(run);
  const writes = [...creates.map(({ id }) => id), 'updateAgent' as const, ...deletions.map(([id]) => id)];
  await run.forEach(writes, async (write) => judge(await outcomeOf(run, write)));
  // The writes of this round may be the ones that the target does not accept.
  for (const write of writes) if (tried.count === 0) run.check(judge(await outcomeOf(run, write)));
  run.need(tried.count > 0, 'a write that is refused for its version and accepted without one');
});

/** All with each write: a server may refuse each form in another place, and one of them too late. */
const REFUSED: readonly string[] = [
  '2026-04-17',
  '2026-04-16.preview',
  '2027-01-31.preview',
  'latest',
  '2026-04-16.beta',
];

/** One version at a time if the target accepts one of them, which other rules judge. */
async function outcomeOf(run: Run, operation: OperationId): Promise<Mismatch[][]> {
  const create = (await acceptedCreates(run)).find(({ id }) => id === operation);
  const outcomeWith = (sent: readonly string[]): Promise<Mismatch[][]> => {
    if (operation === 'updateAgent') return refusedUpdatesAreGone(run, sent);
    return create === undefined ? refusedThenDeleted(run, operation, sent) : refusedThenFresh(run, create, sent);
  };
  const together = await outcomeWith(REFUSED);
  // On a target that cannot remove resources, each create leaves one behind.
  if (together.length > 0 || (create !== undefined && !isRepeatable(run, create))) return together;
  const found = [];
  for (const version of REFUSED) found.push(...(await outcomeWith([version])));
  return found;
}

interface Attempt {
  readonly operation: OperationId;
  /** Which of all caller variants. */
  readonly variant: number;
}

type Requests = ReadonlyMap<OperationId, ManagementRequest>;

/** The caller variant at this place if its request succeeds without the header, otherwise the default. */
async function acceptedVariant(run: Run, request: ManagementRequest, place: number): Promise<CallerVariant> {
  const variant = variantAt(callerVariants(run), place);
  const create = (await acceptedCreates(run)).find(({ id }) => id === request.id);
  // Only if the target can remove resources; otherwise each of them would leave one behind.
  if (create !== undefined && !isRepeatable(run, create)) return defaultVariant;
  const send = (as: Client) => withVersion(run, request, undefined, { as });
  return (await acceptsVariant(run, { what: request.id, variant }, send)) ? variant : defaultVariant;
}

async function attemptRefused(run: Run, requests: Requests, { operation, variant }: Attempt, version: string) {
  const request = run.need(requests.get(operation), `a request of ${operation}`);
  const as = clientFor(run, await acceptedVariant(run, request, variant));
  const send = (value: string | undefined) => withVersion(run, request, value, { as });
  const isFree = operation === 'updateAgent' ? isSettled : () => true;
  const settled = (value: string | undefined) => eventually(() => send(value), isFree, run.patienceSeconds);
  const exchange = await settled(version);
  const found = refusedVersion(exchange);
  if (found.length === 0 || !isRefused(exchange)) return found;
  // Alone, because creates of other cases may fill the quota.
  return withAllPlaces(run, () => refusedBetweenAccepted(settled, version));
}

/**
 * The first three boundary values for every operation and caller variant, all of them for one reading operation, and
 * generated ones for all reading operations.
 */
async function eachRefused(run: Run, version: fc.Arbitrary<string>, boundary: readonly string[]): Promise<void> {
  const requests = await validRequests(run);
  const variants = callerVariants(run).map((_, index) => index);
  const attempts = (operation: OperationId): Attempt[] => variants.map((variant) => ({ operation, variant }));
  const reads = validReads(run).filter(({ id }) => requests.has(id));
  const first = run.need(reads[0], 'a management GET operation that returns 2xx');
  await listedBefore.get(run, async () => {
    // A server must not remember the version of an earlier request and use that instead.
    await withVersion(run, first, listed[0]);
  });
  const everywhere = [...requests.keys()].flatMap((id) => paired(attempts(id), boundary.slice(0, 3)));
  await run.forAll(
    { attempt: fc.constantFrom(...reads.flatMap(({ id }) => attempts(id))), version },
    ({ attempt, version: value }) => attemptRefused(run, requests, attempt, value),
    {
      classOf: ({ version: value, attempt: { operation, variant } }) => [
        value,
        operation,
        operation === 'updateAgent' ? `updateAgent ${variant}` : `caller ${variant}`,
      ],
      examples: [...everywhere, ...paired(attempts(first.id), boundary)],
    },
  );
  await run.forEach(versionedDeletions(run), async (id) =>
    (await unlistedDeletion(run, id, boundary.slice(0, 3))).flatMap(refusedVersion),
  );
  if (requests.has('getAccountMetrics')) await metricsRefused(run, version, boundary);
}

/** Metrics requests have the most variants: every parameter, for every caller whose request succeeds. */
async function metricsRefused(run: Run, version: fc.Arbitrary<string>, boundary: readonly string[]): Promise<void> {
  const day = lastOf(pastWindow(run), DAY);
  const { each, any } = await requestVariants(run);
  await run.forAll(
    { attempt: any, version },
    async ({ attempt: { caller, parameters }, version: value }) => {
      const request = { id: 'getAccountMetrics', input: () => ({ query: { ...parameters, ...day } }) } as const;
      return refusedVersion(await withVersion(run, request, value, { as: clientOf(run, caller) }));
    },
    { examples: paired([...each, ...(await secondPageVariants(run, day))], boundary) },
  );
}

/** Pairs in which each element of both lists occurs at least once. */
const paired = <T>(attempt: readonly T[], values: readonly string[]): { attempt: T; version: string }[] =>
  Array.from({ length: Math.max(attempt.length, values.length) }, (_, index) => ({
    attempt: attempt[index % attempt.length]!,
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
