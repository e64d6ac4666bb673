/** The path that every request to an address begins with. */

/** Without a slash at the end: empty for an address without a path. Throws if the address is not an absolute URL. */
export const basePathOf = (address: string): string => new URL(address).pathname.replace(/\/$/, '');
