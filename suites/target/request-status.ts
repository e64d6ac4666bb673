/** Sends a GET request before a run, and returns only its status. */
import { basePathOf } from '../../spec/network/base-path.ts';
import type { Target } from './target.ts';
import { HarnessError } from './transport.ts';
import type { Transport } from './transport.ts';

/** The path is below the management address. Undefined if there was no response. */
export async function requestStatus(
  path: string,
  bearer: string | undefined,
  target: Target,
  transport: Transport,
): Promise<number | undefined> {
  const address = target.addresses.management ?? '';
  const headers = {
    Accept: 'application/json',
    ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
  };
  const request = { method: 'GET', origin: new URL(address).origin, path: basePathOf(address) + path, headers };
  try {
    return (await transport.send(request)).status;
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}
