/** Which requests a server may hang up on: limits of a request's size are not shown. */
import type { RawRequest } from '../target/request-types.ts';

const LONG_BYTES = 64 * 1024;

export const isLong = ({ body = '' }: RawRequest): boolean => body.length > LONG_BYTES;
