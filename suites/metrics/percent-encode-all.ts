/** Percent-encodes every byte of a string. It decodes to the same string (RFC 3986 2.1, 6.2.2). */
export const percentEncodeAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
