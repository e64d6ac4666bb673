/** A valid request may be refused for reasons that are not documented, but not with a server error (decision 023). */
import type { Exchange } from '../target/exchange.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Mismatch } from '../target/violation.ts';

const isFailure = ({ response: { status } }: Exchange): boolean => status === 500;

/**
 * Any server may fail once: a mismatch only if the request gets 500 again after a plain one has succeeded. `again` returns the
 * responses to the same request, or to several that are sent at the same time.
 */
export async function failureAgain(
  first: readonly Exchange[],
  plain: () => Promise<Exchange>,
  again: () => Promise<readonly Exchange[]>,
): Promise<Mismatch[]> {
  if (!first.some(isFailure)) return [];
  const control = await plain();
  if (!isSuccessful(control)) return [];
  const [failed, ...concurrent] = (await again()).toSorted((a, b) => Number(isFailure(b)) - Number(isFailure(a)));
  if (failed === undefined || !isFailure(failed)) return [];
  return [{ expected: 'status 2xx or 4xx', actual: 'status 500', exchange: failed, before: [control], concurrent }];
}
