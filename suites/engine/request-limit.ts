/** Distinguishes a limit for some requests from a target that refuses everything with 429. */
import { RequestLimitError, TooManyRequestsError } from '../target/transport.ts';
import type { Run } from './run.ts';

/**
 * If the target has refused every request so far, the run may have sent only requests of one kind. Then another one shows
 * whether the target accepts others.
 */
export async function asRequestLimit(error: unknown, { client }: Pick<Run, 'client'>): Promise<unknown> {
  if (!(error instanceof TooManyRequestsError) || error instanceof RequestLimitError) return error;
  try {
    await client.call('listAccounts');
  } catch {
    return error;
  }
  return new RequestLimitError(error.message, { cause: error });
}
