/** versions.default.*: a request without a version uses the earliest stable one. */
import { earliestStable } from '../../spec/versions.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { ToDelete } from '../kit/auth/to-delete.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { isSuccessful } from '../target/eventually.ts';
import { shapeOf } from '../expect/shape.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { agentWrites } from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import { isVersionRefusal, withVersion } from '../kit/versions/with-version.ts';
import { deletions } from '../kit/versions/deletions.ts';
import { firstPair } from './listed-creates.ts';
import type { Pair } from './listed-creates.ts';
import { acceptedCreates, harmlessRequests, validReads } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { fieldsOf } from '../json/fields.ts';
import { headerNames } from '../../spec/brand.ts';
import { isRefusedVersion, mayHaveBody, versionedOperations, versionOf } from '../kit/versions/seen-version.ts';

judgesInOrder('versions.default.absent-header-means-earliest-stable', versionedOperations, (facts) => {
  const responses = new Map<string, Responses>();
  return (seen) => {
    const version = versionOf(seen, facts);
    if (!mayHaveBody(seen) || (version !== undefined && version !== earliestStable)) return undefined;
    if (version === undefined && isRefusedVersion(seen)) return differs(seen.exchange, 'the version accepted');
    const key = comparableKey(seen, facts);
    if (key === undefined) return undefined;
    const { absent, named, last, turns } = responses.get(key) ?? { absent: new Set(), named: new Set(), turns: 0 };
    const own = version === undefined ? absent : named;
    own.add(seen.operation.method === 'DELETE' ? `status ${seen.status}` : looksOf(seen.exchange));
    const turnsNow = last === undefined || last === own ? turns : turns + 1;
    responses.delete(key);
    responses.set(key, { absent, named, last: own, turns: turnsNow });
    for (const oldest of responses.keys()) if (responses.size > MAX_KEYS) responses.delete(oldest);
    if (turnsNow > 0 && !absent.isDisjointFrom(named)) return [];
    // Fewer may be changes of what is read.
    return turnsNow < MIN_TURNS
      ? undefined
      : differs(seen.exchange, [...(own === absent ? named : absent)].join(' or '));
  };
});

/** What requests that mean the same got, without the version and with it. */
interface Responses {
  readonly absent: Set<string>;
  readonly named: Set<string>;
  /** The one of the two that the last response belongs to. */
  readonly last?: Set<string>;
  /** How often a request without the version followed one with it, or the other way round. */
  readonly turns: number;
}

const MAX_KEYS = 200;
const MIN_TURNS = 6;

const differs = (exchange: Exchange, expected: string): Mismatch[] => [
  { expected: `as with version ${earliestStable}: ${expected}`, actual: looksOf(exchange), exchange },
];

/** Equal for two requests whose responses have the same status and shape. Undefined if the response may depend on more. */
function comparableKey(seen: Seen, { brand }: Facts): string | undefined {
  const {
    operation: { id, method },
    path,
    query,
    status,
  } = seen;
  const isRead = method === 'GET';
  const isComparable = isSuccessful(seen.exchange) || (isRead && (status === 400 || status === 404));
  if (!isComparable || seen.caller === 'other' || seen.caller === 'none') return undefined;
  const { metadata, ...body } = fieldsOf(seen.sent) ?? {};
  // The shape of the response has the members that were sent.
  const sentShape = shapeOf(metadata ?? {});
  const names = method === 'POST' || method === 'DELETE' ? {} : path;
  return JSON.stringify([id, names, query, sentShape, body, seen.caller, seen.header(headerNames(brand).workspace)]);
}

conforms('versions.default.absent-header-means-earliest-stable', async (run) => {
  const compared = await comparedOfRun.get(run, async () => ({ count: 0 }));
  const all = await comparisons(run);
  const compare = async ({ send }: Comparison): Promise<Mismatch[]> => {
    const { found, isComparable } = await sameEitherWay(send);
    if (isComparable) compared.count += 1;
    return found;
  };
  await run.forEach(
    all.map(({ operation, kind }) => ({ operation, kind })),
    async ({ operation, kind }) => {
      const comparison = all.find((each) => each.operation === operation && each.kind === kind);
      return comparison === undefined ? [] : compare(comparison);
    },
    // Every operation has a default of its own. A request follows the one whose version it must not use.
    { sequential: true, all: true },
  );
  // The pairs of this round may be the ones that the target refuses.
  for (const comparison of all) if (compared.count === 0) run.check(await compare(comparison));
  // Two equal refusals may have other causes, such as a wrong address or credential.
  run.need(compared.count > 0, 'a management operation that responds with 2xx');
});

/** Pairs of responses with 2xx, in all rounds. */
const comparedOfRun = sharedValue<{ count: number }>();

interface Comparison {
  readonly operation: OperationId;
  /** An operation may have a request that succeeds and one that fails. */
  readonly kind: 'read' | 'create' | 'update' | 'deletion' | 'harmless' | 'unknown';
  readonly send: (round: number) => Promise<Pair | undefined>;
}

async function comparisons(run: Run): Promise<Comparison[]> {
  const reads = validReads(run);
  const others = harmlessRequests(run).filter(({ id }) => !reads.some((read) => read.id === id));
  const unknown = { id: 'getIntegration', input: () => ({ path: { integrationName: run.unknownName } }) } as const;
  const creates = await acceptedCreates(run);
  const updates = run.target.allow === 'read' ? [] : await agentWrites(run);
  return [
    ...reads.map((read): Comparison => {
      return { operation: read.id, kind: 'read', send: (round) => pairAfterRefusal(run, read, round) };
    }),
    ...creates.map((create): Comparison => {
      return { operation: create.id, kind: 'create', send: createsInPairs(run, create) };
    }),
    ...updates.map((update): Comparison => {
      return { operation: update.id, kind: 'update', send: (round) => updatePair(run, update, round) };
    }),
    ...deletions.map(([id, provide]): Comparison => {
      const send = async (round: number) => deletionPair(run, id, [await provide(run), await provide(run)], round);
      return { operation: id, kind: 'deletion', send };
    }),
    { operation: unknown.id, kind: 'unknown', send: (round) => pairAfterRefusal(run, unknown, round) },
    ...others.map((other): Comparison => {
      return { operation: other.id, kind: 'harmless', send: (round) => pair(run, other, round) };
    }),
  ];
}

interface Compared {
  readonly found: Mismatch[];
  /** With the version header. */
  readonly isComparable: boolean;
}

/** The request without a version follows one with an unknown version, which must not affect it. */
const pairAfterRefusal = (run: Run, request: ManagementRequest, round: number): Promise<Pair> =>
  inTurns(round, async (version) => {
    if (version === undefined) await withVersion(run, request, UNLISTED);
    return withVersion(run, request, version);
  });

const UNLISTED = '2026-04-17';

const pair = (run: Run, request: ManagementRequest, round: number): Promise<Pair> =>
  inTurns(round, (version) => withVersion(run, request, version));

/** Alternates the order, because the first may affect the second, and a server may add something to every other response. */
async function inTurns(round: number, send: (version: string | undefined) => Promise<Exchange>): Promise<Pair> {
  if (round % 2 === 1) return { absent: await send(undefined), named: await send(earliestStable) };
  const named = await send(earliestStable);
  return { absent: await send(undefined), named };
}

const updatePair = (run: Run, { id, input }: Write, round: number): Promise<Pair> =>
  inTurns(round, (version) => withVersion(run, { id, input: () => input({ displayName: 'Assay' }) }, version));

/** Undefined if there is nothing left to delete. */
async function deletionPair(
  run: Run,
  id: OperationId,
  [{ own: one }, { own: other }]: readonly [ToDelete, ToDelete],
  round: number,
) {
  if (one === undefined || other === undefined) return undefined;
  const [unnamed, named] = round % 2 === 1 ? [one, other] : [other, one];
  const input = (version: string | undefined) => () => ({ path: version === undefined ? unnamed : named });
  return inTurns(round, (version) => withVersion(run, { id, input: input(version) }, version));
}

function createsInPairs(run: Run, create: CreateOperation): (round: number) => Promise<Pair> {
  const plain = { id: create.id, input: () => create.input(plainMetadata(run)) };
  return (round) => (round === 1 ? firstPair(run, create, earliestStable) : pair(run, plain, round));
}

/** Enough for a field that only some responses have, such as whether they were cached. */
const ROUNDS = 8;

/** Repeats the pair while the responses differ, because responses may change over time. */
async function sameEitherWay(send: (round: number) => Promise<Pair | undefined>): Promise<Compared> {
  const looks = { absent: new Set<string>(), named: new Set<string>() };
  for (let round = 1; ; round++) {
    const pairOfRound = await send(round);
    if (pairOfRound === undefined) return { found: [], isComparable: false };
    const { absent, named } = pairOfRound;
    looks.absent.add(looksOf(absent));
    looks.named.add(looksOf(named));
    // A refused listed version violates versions.listed.accepted-everywhere, and reveals nothing about the default.
    const isComparable = isSuccessful(named);
    if (isVersionRefusal(named) || !looks.absent.isDisjointFrom(looks.named))
      return { found: [], isComparable: isComparable };
    const expected = `as with version ${earliestStable}: ${looksOf(named)}`;
    if (round === ROUNDS)
      return { found: [{ expected, actual: looksOf(absent), exchange: absent }], isComparable: isComparable };
  }
}

function looksOf({ response: { status, json } }: Exchange): string {
  return `status ${status}, ${json === undefined ? 'no JSON' : shapeOf(json)}`;
}
