/** The list of active multipart uploads. */
import { replyFindings } from '../../spec/validators.ts';
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { isSuccess } from '../kit/resources/seen-resource.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { eventually, isSuccessful, isAwake } from '../target/eventually.ts';
import { schemaMismatches } from '../expect/schema-mismatches.ts';
import { status } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import { newDirectory } from '../kit/sandbox/own-directory.ts';

judges('sandbox.multipart.list-shape', 'listMultipartUploads', (seen) => {
  if (!isSuccess(seen) || seen.exchange.request.method === 'HEAD') return undefined;
  if (seen.status !== 200) return status(seen.exchange, 200);
  return schemaMismatches(seen.exchange, replyFindings('listMultipartUploads', 200, seen.json));
});

judges('sandbox.multipart.uploads-distinct', 'listMultipartUploads', (seen) =>
  seen.status === 200 && seen.json !== undefined && uploadIdsIn(seen.exchange).length > 0
    ? repeated(seen.exchange)
    : undefined,
);

conforms('sandbox.multipart.list-shape', async (run) => {
  for (const exchange of await uploadLists.get(run, () => listUploads(run)))
    run.check([...status(exchange, 200), ...schemaMismatches(exchange)]);
});

conforms('sandbox.multipart.uploads-distinct', async (run) => {
  const lists = (await uploadLists.get(run, () => listUploads(run))).filter((each) => uploadIdsIn(each).length > 0);
  run.need(lists.length, 'an active upload');
  run.check(...lists.map(repeated));
});

const uploadLists = sharedValue<readonly Exchange[]>();

/** The list of uploads, and if the run may write, after each of some that it begins, and after it has aborted them. */
async function listUploads(run: Run): Promise<Exchange[]> {
  const { client, patienceSeconds } = run;
  const list = () => eventually(() => client.call('listMultipartUploads'), isAwake, patienceSeconds);
  const lists = [await list()];
  if (run.target.allow === 'read') return lists;
  const directory = await newDirectory(run);
  const begun: string[] = [];
  try {
    for (const name of ['one.bin', 'two.bin', 'größe.bin']) {
      const uploadId = await begin(run, `${directory}/${name}`);
      if (uploadId === undefined) continue;
      begun.push(uploadId);
      lists.push(await list());
    }
  } finally {
    for (const uploadId of begun) await client.call('abortMultipartUpload', { path: { uploadId } });
  }
  return [...lists, await list()];
}

function uploadIdsIn({ response }: Exchange): unknown[] {
  const { uploads } = (response.json ?? {}) as { uploads?: unknown };
  return Array.isArray(uploads) ? uploads.map((each: { uploadId?: unknown } | null) => each?.uploadId) : [];
}

function repeated(exchange: Exchange): Mismatch[] {
  const ids = uploadIdsIn(exchange).filter((id) => typeof id === 'string');
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? [] : [{ expected: 'each upload once', actual: `upload ${twice} twice`, exchange }];
}

/** Begins an upload by an inferred operation. Undefined if the target does not have it. */
async function begin({ client }: Run, path: string): Promise<string | undefined> {
  const begun = await client.call('initiateMultipartUpload', { path: { path }, body: {} });
  const { uploadId } = (begun.response.json ?? {}) as { uploadId?: unknown };
  return isSuccessful(begun) && typeof uploadId === 'string' ? uploadId : undefined;
}
