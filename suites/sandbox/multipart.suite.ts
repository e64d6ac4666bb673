/** The list of active multipart uploads. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful, isAwake } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { schemaMismatches } from '../kit/sandbox/listing.ts';
import { newDirectory } from '../kit/sandbox/own-directory.ts';

conforms('sandbox.multipart.list-shape', async (run) => {
  run.check(await isListed(run));
  if (run.target.allow === 'read') return;
  const directory = await newDirectory(run);
  const begun: string[] = [];
  try {
    for (const name of ['one.bin', 'two.bin', 'größe.bin']) {
      const uploadId = await begin(run, `${directory}/${name}`);
      if (uploadId === undefined) continue;
      begun.push(uploadId);
      run.check(await isListed(run));
    }
  } finally {
    for (const uploadId of begun) await run.client.call('abortMultipartUpload', { path: { uploadId } });
  }
  run.check(await isListed(run));
});

async function isListed({ client, patienceSeconds }: Run): Promise<Mismatch[]> {
  const exchange = await eventually(() => client.call('listMultipartUploads'), isAwake, patienceSeconds);
  return [...status(exchange, 200), ...schemaMismatches(exchange)];
}

/**
 * The way to begin an upload is only inferred: undefined where the target has another one. What it begins is of no
 * file yet.
 */
async function begin({ client }: Run, path: string): Promise<string | undefined> {
  const begun = await client.call('initiateMultipartUpload', { path: { path }, body: {} });
  const { uploadId } = (begun.response.json ?? {}) as { uploadId?: unknown };
  return isSuccessful(begun) && typeof uploadId === 'string' ? uploadId : undefined;
}
