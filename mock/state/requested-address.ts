/** The address of a world as the client of a request knows it: through a mapped port or a proxy, it is not the mock's own. */
import type { IncomingHttpHeaders } from 'node:http';
import { sandboxNamesIn } from './urls.ts';
import type { WorldState } from './world-state.ts';

interface AddressedRequest {
  readonly world: Pick<WorldState, 'addresses' | 'mount'>;
  readonly headers: IncomingHttpHeaders;
}

/** RFC 9110 7.2: a host name or an address, and perhaps a port. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const PROTOCOL = /^https?$/i;
const isHost = (text: string): boolean => HOST.test(text) && URL.canParse(`http://${text}`);
const isProtocol = (text: string): boolean => PROTOCOL.test(text);

/**
 * Without a trailing slash; on the host name of a sandbox, the address of the sandbox. A public address is not replaced. Anyone
 * can set the headers, so use it only in responses that are not stored.
 */
export function requestedAddress({ world: { addresses, mount }, headers }: AddressedRequest): string {
  const { protocol, host } = new URL(addresses.host);
  const sent = valueOf(headers.host, isHost) ?? host;
  if (mount.isPublic) return sandboxNamesIn(sent) === undefined ? addresses.host : `${protocol}//${sent}`;
  const forwarded = valueOf(headers['x-forwarded-proto'], isProtocol);
  const scheme = forwarded === undefined ? protocol : `${forwarded.toLowerCase()}:`;
  return `${scheme}//${valueOf(headers['x-forwarded-host'], isHost) ?? sent}${mount.path}`;
}

/** The same of the host surface, which sandboxes do not have: their names are below `localhost`. */
export function requestedHost(request: AddressedRequest): string {
  const address = requestedAddress(request);
  const { protocol, host, port } = new URL(address);
  if (sandboxNamesIn(host) === undefined) return address;
  return request.world.mount.isPublic ? request.world.addresses.host : `${protocol}//localhost${port && `:${port}`}`;
}

/** Of several proxies, the one next to the client is the first. Undefined if the value is invalid. */
function valueOf(header: string | string[] | undefined, isValid: (text: string) => boolean): string | undefined {
  const [value = ''] = String(header ?? '').split(',', 1);
  return isValid(value.trim()) ? value.trim() : undefined;
}
