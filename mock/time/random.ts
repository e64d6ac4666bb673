/** The only source of randomness in a world: the same seed and the same calls yield the same values. */

export interface Random {
  /** A whole number, 0 inclusive to 2^32 exclusive. */
  next(): number;
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** RFC 9562 version 4 in form. */
  uuid(): string;
  /** The state of the generator, for snapshots. */
  state(): number;
}

/** A splitmix32 generator; `state` is a seed or what an earlier generator's `state()` gave. */
export function createRandom(state: number): Random {
  let current = state | 0;
  const next = () => {
    current = (current + 0x9e3779b9) | 0;
    let mixed = current ^ (current >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const hex = (digits: number) => {
    // By way of bytes, which are printed four times as fast as numbers are with `toString(16)`.
    const bytes = Buffer.allocUnsafe(4 * Math.ceil(digits / 8));
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32BE(next(), at);
    return bytes.toString('hex').slice(0, digits);
  };
  const uuid = () => {
    const digits = hex(30);
    const variant = '89ab'[next() % 4];
    // Joined, not a template: a template would keep all its pieces in memory, eight times the text's own size.
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(12, 15)}`,
      `${variant}${digits.slice(15, 18)}`,
      digits.slice(18),
    ].join('-');
  };
  return { next, hex, uuid, state: () => current };
}
