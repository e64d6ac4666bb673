/** versions.header.*: the spelling of the header's name, and undocumented uses of the header. */
import * as fc from 'fast-check';
import { headerNames } from '../../spec/brand.ts';
import type { WhatOf } from '../../spec/observations/observation.ts';
import { earliestStable } from '../../spec/versions.ts';
import { conforms, observes } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { sharedValues } from '../engine/shared-values.ts';
import { rotate } from '../kit/rotate.ts';
import { letterCases } from '../generators/letter-cases.ts';
import type { Exchange } from '../target/client.ts';
import { needRefusal } from '../kit/versions/need-refusal.ts';
import { isVersionRefusal, refusedVersion, withVersion } from '../kit/versions/with-version.ts';
import { readsThatSucceed, validReads } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import {
  isRefusedVersion,
  kindOfVersion,
  spellingOf,
  versionedOperations,
  versionOf,
} from '../kit/versions/seen-version.ts';

/** Whether a read refuses an unlisted version in the header as documented, by operation. */
const heededReads = sharedValues<boolean>();
/** With the listed version in the header as documented. */
const listedReads = sharedValues<Exchange>();

const UNLISTED = 'v0-assay';

judgesInOrder('versions.header.name-any-case', versionedOperations, (facts) => {
  /** The first spelling of the header with which a version was refused, by operation and version. */
  const refused = new Map<string, string>();
  return (seen) => {
    const [version, spelling = ''] = [versionOf(seen, facts), spellingOf(seen, facts)];
    const kind = kindOfVersion(version);
    if (kind === undefined || kind === 'listed') return undefined;
    const key = `${seen.operation.id} ${version}`;
    const first = refused.get(key);
    const isRefusal = seen.status === 400 && isRefusedVersion(seen);
    if (isRefusal) refused.set(key, first ?? spelling);
    if (first === undefined || first === spelling) return undefined;
    return isRefusal || isSuccessful(seen.exchange) ? refusedVersion(seen.exchange) : undefined;
  };
});

conforms('versions.header.name-any-case', async (run) => {
  const written = headerNames(run.target.brand).version;
  const successful = await readsThatSucceed(run);
  const reads = validReads(run).filter(({ id }) => successful.has(id));
  run.need(reads.length, 'a management read that succeeds');
  const ids = reads.map(({ id }) => id);
  const names = [written.toLowerCase(), written.toUpperCase(), written];
  let judgedCount = 0;
  const compare = async (request: ManagementRequest, name: string): Promise<Mismatch[]> => {
    const operation = request.id;
    if (!(await heededReads.get(run, operation, () => isHeeded(run, request)))) return [];
    judgedCount += 1;
    const refused = await withVersion(run, request, UNLISTED, { name });
    const listed = await withVersion(run, request, earliestStable, { name });
    const usual = await listedReads.get(run, operation, () => withVersion(run, request, earliestStable));
    return [...refusedVersion(refused), ...sameStatus(listed, usual)];
  };
  await run.forAll(
    { operation: fc.constantFrom(...ids), name: letterCases(written) },
    ({ operation, name }) =>
      compare(
        reads.find(({ id }) => id === operation)!,
        name,
      ),
    { examples: rotate(ids, names, 2).map(([operation, name]) => ({ operation, name })) },
  );
  // The reads of this round may be ones that ignore the version.
  for (const read of reads) if (judgedCount === 0) run.check(await compare(read, written.toLowerCase()));
  await needRefusal(
    run,
    judgedCount,
    'an operation that refuses an unlisted version in the header as documented',
    UNLISTED,
  );
});

const isHeeded = async (run: Run, request: ManagementRequest): Promise<boolean> =>
  isVersionRefusal(await withVersion(run, request, UNLISTED));

/** Sends the listed version: the response must equal that of the documented spelling. */
function sameStatus(exchange: Exchange, { response: { status: expected } }: Exchange): Mismatch[] {
  return status(exchange, expected);
}

type What = WhatOf<'versions.header.empty-repeated-or-other-apis'>;

observes('versions.header.empty-repeated-or-other-apis', async (run) => {
  const request = run.need(validReads(run)[0], 'a management operation that reads');
  const uses: readonly (readonly [What, string | string[]])[] = [
    ['an empty version header', ''],
    ['the listed version, sent twice', [earliestStable, earliestStable]],
    ['the listed version twice in one header', `${earliestStable},${earliestStable}`],
    ['the listed version, then an unlisted one', [earliestStable, '2026-04-17']],
    ['an unlisted version, then the listed one', ['2026-04-17', earliestStable]],
  ];
  for (const [what, version] of uses) run.observe(what, observed(await withVersion(run, request, version)));
  const { inference, sandbox } = run.target.addresses;
  const { model } = run.target.resources;
  const headers = { [headerNames(run.target.brand).version]: '2026-04-17' };
  if (inference !== undefined && model !== undefined && run.target.workspace !== undefined) {
    const body = { messages: [{ role: 'user', content: 'Hello' }] };
    run.observe(
      'an unlisted version on inference',
      observed(await run.client.call('createChatCompletion', { path: { model }, body, headers })),
    );
  }
  if (sandbox !== undefined)
    run.observe(
      'an unlisted version on the sandbox',
      observed(await run.client.call('listMultipartUploads', { headers })),
    );
});

function observed({ response }: Exchange) {
  const { error } = (response.json ?? {}) as { error?: unknown };
  const { status: code } = response;
  return code < 400 || typeof error !== 'string' ? { status: code } : { status: code, error };
}
