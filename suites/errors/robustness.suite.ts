/** errors.robustness.*: no input causes a server error. */
import * as fc from 'fast-check';
import type { Operation, OperationId } from '../../spec/operations.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { garbageBody, garbageQuery, garbageSegment } from '../generators/garbage.ts';
import type { GarbageBody } from '../generators/garbage.ts';
import type { Exchange } from '../target/client.ts';
import { HarnessError } from '../target/transport.ts';
import { judgesInOrder, saysNothing } from '../judge/judgement.ts';
import { remember } from '../kit/resources/seen-resource.ts';
import { kindsOfGarbage, likelyGarbage, plain, summaryOf, withBody, withQuery } from './garbage-requests.ts';
import type { Garbage } from './garbage-requests.ts';
import { isLong } from './long-request.ts';
import { checkErrors } from './provocations.ts';
import { sandboxMistakes } from './provoke-sandbox.ts';
import { reachable, streaming } from './reach.ts';

/** The requests do not depend on each other, because they name what does not exist; some are large. */
const CONCURRENCY = 4;

/** Any server may fail once. The input is the cause if it fails again although the operation has worked in between. */
judgesInOrder('errors.robustness.never-5xx', 'every', () => {
  const failed = new Map<string, { readonly id: OperationId; hasWorkedSince: boolean }>();
  return ({ exchange, operation, status, sentText }) => {
    // A workload may fail itself, and no rule concerns undocumented operations.
    if (operation.surface === 'inference' || !operation.documented || saysNothing(status)) return undefined;
    // "Agent update: server failure" is documented.
    if (operation.id === 'updateAgent' && status === 500) return undefined;
    if (neverFails(exchange, { ...operation, operation }).length === 0) {
      for (const each of failed.values()) if (each.id === operation.id) each.hasWorkedSince = true;
      return [];
    }
    const key = JSON.stringify([exchange.request.method, exchange.request.url, sentText]);
    const isCause = failed.get(key)?.hasWorkedSince === true;
    if (!failed.has(key)) remember(failed, key, { id: operation.id, hasWorkedSince: false });
    return isCause ? neverFails(exchange, { ...operation, operation }) : undefined;
  };
});

conforms('errors.robustness.never-5xx', async (run) => {
  const targets = reachable(run);
  const eachSurvived = (requests: readonly Garbage[]): Promise<void> => {
    const bySummary = new Map(requests.map((request) => [summaryOf(request), request]));
    return run.forEach([...bySummary.keys()], (summary) => survived(run, bySummary.get(summary)!), {
      concurrency: CONCURRENCY,
      classOf: (summary) => bySummary.get(summary)!.flaw ?? JSON.stringify(summary),
    });
  };
  for (const requests of [likelyGarbage(run, targets), ...kindsOfGarbage(run, targets)]) await eachSurvived(requests);
  await generatedGarbage(run, targets);
  const provocations = sandboxMistakes(run);
  if (provocations.size > 0) await checkErrors(run, [{ provocations, property: sandboxNeverFails }]);
});

function sent(run: Run, { operation, ...request }: Garbage): Promise<Exchange> {
  const client = operation !== undefined && streaming.includes(operation.id) ? run.as('none') : run.client;
  return client.send(request);
}

/** A server may close the connection on an overlong request if it then responds to the next one. */
async function survived(run: Run, request: Garbage): Promise<Mismatch[]> {
  try {
    return neverFails(await sent(run, request), request);
  } catch (error) {
    if (!(error instanceof HarnessError) || !isLong(request)) throw error;
    const { operation: _, body: __, ...next } = request;
    return neverFails(await run.client.send({ ...next, method: 'OPTIONS' }), request);
  }
}

interface GarbageInput {
  readonly operation: OperationId;
  readonly body: GarbageBody;
  readonly query: string;
  readonly segment: string;
  readonly what: 'body' | 'query' | 'segment';
}

async function generatedGarbage(run: Run, targets: readonly Operation[]): Promise<void> {
  const byId = new Map(targets.map((operation) => [operation.id, operation]));
  const inputs = {
    operation: fc.constantFrom(...byId.keys()),
    body: garbageBody,
    query: garbageQuery,
    segment: garbageSegment,
    what: fc.constantFrom('body' as const, 'query' as const, 'segment' as const),
  };
  const property = async ({ operation: id, body, query, segment, what }: GarbageInput): Promise<Mismatch[]> => {
    const operation = run.need(byId.get(id), id);
    const request = {
      body: () => withBody(run, operation, operation.hasBody ? body : { body: '' }),
      query: () => withQuery(run, operation, query),
      segment: () => plain(run, operation, segment),
    }[what]();
    return neverFails(await sent(run, request), request);
  };
  await run.forAll(inputs, property, { runs: scaleRuns(run, 50), concurrency: CONCURRENCY });
}

const sandboxNeverFails = (exchange: Exchange): Mismatch[] =>
  neverFails(exchange, { surface: 'sandbox', method: exchange.request.method, path: exchange.request.url });

/** Allowed: 502, 503 and 504 from a workload that is not running, and 501 for an unknown method. */
function neverFails(exchange: Exchange, { operation, surface }: Garbage): Mismatch[] {
  const { status } = exchange.response;
  const forgiven = [
    ...(exchange.request.method === operation?.method ? [] : [501]),
    ...(surface === 'management' ? [] : [502, 503, 504]),
  ];
  return status < 500 || forgiven.includes(status)
    ? []
    : [{ expected: 'no status 5xx', actual: `status ${status}`, exchange }];
}
