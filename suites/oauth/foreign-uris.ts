/** Redirect URIs that the client has not registered, some of them similar to a registered one. */
import * as fc from 'fast-check';

const FOREIGN = 'assay.invalid';

/** On other hosts. None differs only by query, which may be registered partially (RFC 6749 section 3.1.2.2). */
export function foreignUris(registered: string): string[] {
  const { protocol, host, hostname, pathname } = new URL(registered);
  const path = pathname === '/' ? '' : pathname;
  return [
    `https://${FOREIGN}/`,
    `https://${FOREIGN}${path}`,
    `${protocol}//${host}.${FOREIGN}${path}`,
    `${protocol}//${hostname}.${FOREIGN}${path}`,
    `${protocol}//${FOREIGN}.${hostname}${path}`,
    `${protocol}//${host}@${FOREIGN}${path}`,
    // Browsers end the host at the backslash.
    `${protocol}//${FOREIGN}\\@${host}${path}`,
    `${protocol}//${FOREIGN}/?next=${registered}`,
    `${protocol}//${FOREIGN}/#${registered}`,
    `${protocol}//${FOREIGN}/${registered}`,
    `//${FOREIGN}${path}`,
    `assay://${host}${path}`,
  ];
}

/**
 * URIs similar to a registered one: another or a longer path, another subdomain or port, other letter case, and http instead of
 * https. It is unlikely that they are registered as well; https instead of http often is.
 */
export function almost(registered: string): string[] {
  const { protocol, origin, host, hostname, pathname, search } = new URL(registered);
  const longer = ['assay', '/assay', '/../assay', '%2fassay'].map((end) => registered + end);
  if (!/^https?:$/.test(protocol)) return longer;
  const shorter = /[^/]{6,}$/.test(pathname) ? [pathname.slice(0, -3)] : [];
  const slash = pathname === '/' ? [] : [pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`];
  const paths = ['/assay-elsewhere', ...shorter, ...slash, pathname.toUpperCase()].filter((path) => path !== pathname);
  // An address has no subdomains, and the ports of loopback addresses are free (RFC 8252 section 7.3).
  const isName = /[a-z]$/i.test(hostname) && hostname !== 'localhost';
  const hosts = isName ? [`assay.${host}`, `${hostname}:8443`].filter((each) => each !== host) : [];
  const unencrypted = protocol === 'https:' ? [registered.replace(/^https:/, 'http:')] : [];
  return [
    ...paths.map((path) => origin + path + search),
    ...longer,
    ...hosts.map((each) => `${protocol}//${each}${pathname}${search}`),
    ...unencrypted,
  ];
}

/** Whether the URI leads to a host that nobody can have registered (RFC 2606 section 2). */
export const isForeign = (uri: string): boolean =>
  URL.parse(uri, 'https://a')?.hostname.endsWith(FOREIGN) === true || uri.startsWith('assay:');

/** Any path on another host. */
export function foreignUri(registered: string): fc.Arbitrary<string> {
  const { pathname } = new URL(registered);
  const host = fc.stringMatching(/^[a-z]{1,10}$/).map((label) => `${label}.${FOREIGN}`);
  const path = fc.oneof(
    fc.constant(pathname),
    fc.stringMatching(/^[a-z]{0,8}$/).map((name) => `/${name}`),
  );
  return fc.tuple(fc.constantFrom('https', 'http'), host, path).map(([scheme, at, to]) => `${scheme}://${at}${to}`);
}
