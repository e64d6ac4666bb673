/** The reason of a rule about refused versions, if the target refuses none. */
import { routeOf } from '../../../spec/missing-operation.ts';
import { operation } from '../../../spec/operations.ts';
import { NotTried } from '../../engine/conforms.ts';
import type { Needed, Run } from '../../engine/conforms.ts';
import { validRequests } from './requests.ts';
import { withVersion } from './with-version.ts';

/** The value. Without one, throws NotTried with what a request with the unlisted version got instead of a refusal, and what to answer. */
export async function needRefusal<T extends object | number | undefined>(
  run: Run,
  value: T,
  what: string,
  unlisted: string,
): Promise<Needed<T>> {
  if (value) return value as Needed<T>;
  const [request] = (await validRequests(run)).values();
  if (request === undefined) throw new NotTried(what);
  const { status } = (await withVersion(run, request, unlisted)).response;
  const route = routeOf(operation(request.id));
  const seen = `${route} returned ${status} for version ${unlisted}`;
  throw new NotTried(`${what} (${seen}): answer ${route} with 400 and error invalid_api_version then`);
}
