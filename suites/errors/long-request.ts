/** Requests so long that a server may close the connection: size limits are undocumented. */
import type { RawRequest } from '../target/request-types.ts';

const LONG_BYTES = 64 * 1024;

export const isLong = ({ body = '' }: RawRequest): boolean => body.length > LONG_BYTES;
