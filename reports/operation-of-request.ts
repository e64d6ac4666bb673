/** Finds the operation of a request in a report, by its URL. */
import { createOperationRouter } from '../spec/match-operation.ts';
import { surfaces } from '../spec/openapi-document.ts';
import type { OperationId } from '../spec/operations.ts';
import type { Counterexample, TargetFacts } from '../spec/verdicts.ts';

export type Addresses = TargetFacts['addresses'];

const router = createOperationRouter({ strict: false });

/** Undefined if the URL is at no address of the target, or no operation has its method and path. */
export function operationOfRequest(
  { method, url }: Pick<NonNullable<Counterexample['request']>, 'method' | 'url'>,
  addresses: Addresses,
): OperationId | undefined {
  for (const surface of surfaces) {
    const address = addresses[surface];
    if (address === undefined || !url.startsWith(`${address}/`)) continue;
    const [path = ''] = url.slice(address.length).split(/[?#]/, 1);
    const found = router.find(surface, method, path)?.value.id;
    if (found !== undefined) return found;
  }
  return undefined;
}
