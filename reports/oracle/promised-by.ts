/** Which rule promises the body of an answer: what readers find wrong in any other breaks no promise of the interface. */
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId } from '../../spec/requirements/index.ts';

/** The statuses whose body the interface document's table of errors shows for the update of an agent. */
const UPDATE_FAILURES = [400, 401, 403, 404, 500];
const TOO_MANY_REQUESTS = 429;

/**
 * undefined where none does: an operation that the interface does not show, an error whose body it does not show. Of a
 * sandbox it shows the body of errors but not their statuses: a 5xx or 429 may come from what stands before it.
 */
export function promisedBy(id: OperationId, status: number): MustId | undefined {
  if (!operation(id).documented) return undefined;
  if (status >= 200 && status <= 299) return 'resources.shapes.fit-the-schema';
  if (id === 'updateAgent' && UPDATE_FAILURES.includes(status)) return 'errors.management.body-shape';
  const isSandboxRefusal = status >= 400 && status <= 499 && status !== TOO_MANY_REQUESTS;
  return isSandboxRefusal && ofSandbox.includes(id) ? 'errors.sandbox.body-shape' : undefined;
}

const ofSandbox: readonly OperationId[] = requirement('errors.sandbox.body-shape').operations;
