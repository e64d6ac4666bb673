/** Error responses of paths below `/oauth/` (RFC 6749 5.2). */
import type { Reply } from '../../http/reply.ts';
import type { Problem } from '../../http/problems.ts';

/** The standard's error codes for problems of other steps, such as an unreadable body. */
const WORDS: Readonly<Record<string, string>> = {
  malformed_body: 'invalid_request',
  body_too_large: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  method_not_allowed: 'invalid_request',
  not_found: 'invalid_request',
  internal_error: 'server_error',
};

/** RFC 6749 5.1: responses of the token endpoint must not be cached. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

export function oauthError({ status, kind, message, headers }: Problem): Reply {
  return { status, headers: { ...NO_STORE, ...headers }, body: errorBody(kind, message) };
}

export function errorBody(kind: string, message: string): { error: string; error_description: string } {
  return { error: WORDS[kind] ?? kind, error_description: plain(message) };
}

/** RFC 6749 5.2: printable ASCII without quotation mark and backslash. */
function plain(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}
