/** Which callback URLs of an agent were set by a web page of another origin: they must not lead to this machine. */
import type { AgentSpec } from '../../../../spec/generated/types.ts';
import { isLoopbackOrigin } from '../../../../spec/network/loopback.ts';
import type { JsonObject } from '../../../../spec/json-object.ts';
import type { Resource } from '../../../state/resources.ts';
import type { WorldState } from '../../../state/world-state.ts';

/**
 * `origin`: the Origin header of the request; programs send none. A URL that the request repeats stays as it was set: otherwise
 * reading and writing an agent would make it trusted.
 */
export function foreignCallbacks(
  { trustedOrigins, callbackOrigins }: WorldState,
  spec: JsonObject,
  origin: string | undefined,
  before?: Resource,
): Pick<Resource, 'foreignCallbacks'> {
  const isForeignPage = !(
    origin === undefined ||
    isLoopbackOrigin(origin) ||
    trustedOrigins.includes(origin) ||
    callbackOrigins.includes(origin)
  );
  if (!isForeignPage && before?.foreignCallbacks === undefined) return {};
  const known = new Set(urlsOf(before?.spec));
  const urls = urlsOf(spec).filter((url) =>
    known.has(url) ? before?.foreignCallbacks?.includes(url) === true : isForeignPage,
  );
  return urls.length === 0 ? {} : { foreignCallbacks: urls };
}

function urlsOf(spec: JsonObject = {}): string[] {
  const { triggers } = spec as AgentSpec;
  if (!Array.isArray(triggers)) return [];
  return triggers.flatMap(({ configuration }) => configuration?.callbackUrl ?? []);
}
