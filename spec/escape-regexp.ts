/** Escapes a text for a regular expression without the flag `u` or `v`. Node 22 has no RegExp.escape. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
