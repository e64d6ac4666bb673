/** Redirection URIs that are none of the client's, though some look like it. */
import * as fc from 'fast-check';

const FOREIGN = 'assay.invalid';

/**
 * Nothing differs by its port alone, which loopback addresses may choose (RFC 8252 7.3), or by its query alone, which a
 * client may have left open (RFC 6749 3.1.2.2).
 */
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
    // A browser ends the host at the backslash.
    `${protocol}//${FOREIGN}\\@${host}${path}`,
    `${protocol}//${FOREIGN}/?next=${registered}`,
    `${protocol}//${FOREIGN}/#${registered}`,
    `${protocol}//${FOREIGN}/${registered}`,
    `//${FOREIGN}${path}`,
    `assay://${host}${path}`,
  ];
}

/** That go on after the end of a registered one, or are it but for the end of its path or its letter case: none is likely registered, too. */
export function almost(registered: string): string[] {
  const { protocol, origin, pathname, search } = new URL(registered);
  const longer = ['assay', '/assay', '/../assay', '%2fassay'].map((end) => registered + end);
  if (!/^https?:$/.test(protocol)) return longer;
  const shorter = /[^/]{6,}$/.test(pathname) ? [pathname.slice(0, -3)] : [];
  const alike = [...shorter, pathname.toUpperCase()].filter((path) => path !== pathname);
  return [...longer, ...alike.map((path) => origin + path + search)];
}

/** On a foreign host, at any path. */
export function foreignUri(registered: string): fc.Arbitrary<string> {
  const { pathname } = new URL(registered);
  const host = fc.stringMatching(/^[a-z]{1,10}$/).map((label) => `${label}.${FOREIGN}`);
  const path = fc.oneof(
    fc.constant(pathname),
    fc.stringMatching(/^[a-z]{0,8}$/).map((name) => `/${name}`),
  );
  return fc.tuple(fc.constantFrom('https', 'http'), host, path).map(([scheme, at, to]) => `${scheme}://${at}${to}`);
}
