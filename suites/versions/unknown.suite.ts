/** Versions that are not listed are refused, with an answer that helps, and before anything happens. */
import * as fc from 'fast-check';
import type { OperationId } from '../../spec/operations.ts';
import { versions } from '../../spec/versions.ts';
import { conforms } from '../conforms.ts';
import type { Mismatch, Run } from '../conforms.ts';
import {
  malformedVersion,
  malformedVersions,
  plainUnlisted,
  unlistedDate,
  unlistedDates,
  unlistedPreview,
  unlistedPreviews,
} from '../generators/version-value.ts';
import { isFree } from '../provision/writes.ts';
import type { Client, Exchange } from '../target/client.ts';
import { isVersionRefusal, refusedVersion, withVersion } from './ask.ts';
import { refusedThenDeleted, refusedThenFresh, refusedUpdateIsGone } from './refused-writes.ts';
import { acceptedCreates, validReads, validRequests } from './requests.ts';

conforms('versions.unknown.stable-date-refused', (run) => eachRefused(run, unlistedDate, unlistedDates));
conforms('versions.unknown.preview-refused', (run) => eachRefused(run, unlistedPreview, unlistedPreviews));
conforms('versions.unknown.malformed-refused', (run) => eachRefused(run, malformedVersion, malformedVersions));

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
      return messageNames(exchange, [version, ...versions.map((valid) => valid.version)]);
    },
    { runs: Math.min(run.runs, 60), examples: ids.map((operation) => ({ operation, version: '2025-11-30.Preview' })) },
  );
  run.need(refusals > 0, 'an answer with error invalid_api_version');
});

conforms('versions.unknown.has-no-effect', async (run) => {
  run.need(run.target.allow !== 'read', 'write');
  const tried: Mismatch[][] = [];
  for (const [round, version] of ['2026-04-17', '2026-04-16.preview', 'latest'].entries()) {
    // Each round leaves something at a target that cannot remove it.
    const creates = (await acceptedCreates(run)).filter((create) => round === 0 || isFree(run, create));
    for (const create of creates) tried.push(...(await refusedThenFresh(run, create, version)));
    tried.push(...(await refusedUpdateIsGone(run, version)), ...(await refusedThenDeleted(run, version)));
  }
  run.need(tried.length > 0, 'a write that is refused for its version and accepted without one');
  run.check(...tried);
});

interface Asked {
  readonly operation: OperationId;
  readonly caller: 'strongest' | 'apiKey';
}

function clientOf(run: Run, caller: Asked['caller']): Client {
  return caller === 'strongest' ? run.client : run.as(caller);
}

/** What each caller reads, and is answered 2xx without the header. */
async function readsByCaller(run: Run): Promise<Asked[]> {
  const { admin, apiKey } = run.target.credentials;
  const callers =
    admin === undefined || apiKey === undefined ? (['strongest'] as const) : (['strongest', 'apiKey'] as const);
  const found: Asked[] = [];
  for (const caller of callers) {
    for (const request of validReads(run)) {
      const { answer } = await withVersion(run, request, undefined, { as: clientOf(run, caller) });
      if (answer.status >= 200 && answer.status < 300) found.push({ operation: request.id, caller });
    }
  }
  return found;
}

/** Each of the boundary values at one operation, the first of them at every one and for every caller, and generated ones at those that read. */
async function eachRefused(run: Run, version: fc.Arbitrary<string>, boundary: readonly string[]): Promise<void> {
  const reads = await readsByCaller(run);
  const requests = await validRequests(run);
  const first = run.need(reads[0], 'a management operation that reads and answers 2xx');
  const others = [...requests.keys()].filter((operation) => !reads.some((read) => read.operation === operation));
  const all = [...reads, ...others.map((operation): Asked => ({ operation, caller: first.caller }))];
  const everywhere = all.flatMap((asked) => boundary.slice(0, 3).map((value) => ({ asked, version: value })));
  const property = async (input: { asked: Asked; version: string }) => {
    const as = clientOf(run, input.asked.caller);
    return refusedVersion(await withVersion(run, requests.get(input.asked.operation), input.version, { as }));
  };
  await run.forAll({ asked: fc.constantFrom(...reads), version }, property, {
    runs: Math.min(run.runs, 60),
    examples: [...everywhere, ...boundary.map((value) => ({ asked: first, version: value }))],
  });
}

function messageNames(exchange: Exchange, texts: readonly string[]): Mismatch[] {
  const { message } = (exchange.answer.json ?? {}) as { message?: unknown };
  const missing = texts.filter((text) => typeof message !== 'string' || !message.includes(text));
  return missing.map((text) => ({
    expected: `a message that contains ${text}`,
    actual: `message ${JSON.stringify(message)}`,
    exchange,
  }));
}
