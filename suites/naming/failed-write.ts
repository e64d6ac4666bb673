/** Writes whose metadata may be refused, but must not make the server fail. */
import type { Run } from '../engine/run.ts';
import { failureAgain } from '../kit/failure-again.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import { performWrite } from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

/** With a new name, of which an update makes no use. Without a read. */
export async function writeMetadata(run: Run, write: Write, metadata: object): Promise<Exchange> {
  return (await performWrite(run, write, { ...metadata, name: run.newName() }, { isRead: false })).exchange;
}

export const failureMismatches = (run: Run, write: Write, metadata: object, failed: Exchange): Promise<Mismatch[]> =>
  failureAgain(
    [failed],
    () => writeMetadata(run, write, plainMetadata(run)),
    async () => [await writeMetadata(run, write, metadata)],
  );
