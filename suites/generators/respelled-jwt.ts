/** Other spellings of an issued JWT: a lenient decoder reads the same header, claims and signature in them. */
import type { TOKEN_SPELLINGS } from '../../spec/observations/observation-points.ts';

/** RFC 4648 section 5. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Undefined if the signature has no padding to omit, and so no unused bits. */
type Respell = (signature: string) => string | undefined;

const isPartial = (signature: string): boolean => signature.length % 4 > 1;

function withOtherLastBit(signature: string): string | undefined {
  const last = ALPHABET[ALPHABET.indexOf(signature.at(-1) ?? '') ^ 1];
  return isPartial(signature) && last !== undefined ? signature.slice(0, -1) + last : undefined;
}

/** The whole value of a header that carries the JWT. */
export const respelledValues: Readonly<
  Record<(typeof TOKEN_SPELLINGS)[number], (token: string) => string | undefined>
> = {
  'padding after the signature': inSignature((signature) =>
    isPartial(signature) ? signature.padEnd(Math.ceil(signature.length / 4) * 4, '=') : undefined,
  ),
  'other unused bits in the signature': inSignature(withOtherLastBit),
  'a space before the signature': inSignature((signature) => ` ${signature}`),
  'two spaces after Bearer': (token) => `Bearer  ${token}`,
};

function inSignature(respell: Respell): (token: string) => string | undefined {
  return (token) => {
    const start = token.lastIndexOf('.') + 1;
    const signature = respell(token.slice(start));
    return signature && `Bearer ${token.slice(0, start)}${signature}`;
  };
}
