/** Tells a refused version from a refusal that has another cause. */
import type { Mismatch } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import { refusedVersion } from '../kit/versions/with-version.ts';

/**
 * Mismatches of the request with the version. None unless the request without a version succeeds before and after it: a
 * full quota, an unfinished deletion or a deployment refuses that request as well.
 */
export async function refusedBetweenAccepted(
  send: (version: string | undefined) => Promise<Exchange>,
  version: string,
): Promise<Mismatch[]> {
  if (!isSuccessful(await send(undefined))) return [];
  const mismatches = refusedVersion(await send(version));
  return mismatches.length > 0 && isSuccessful(await send(undefined)) ? mismatches : [];
}
