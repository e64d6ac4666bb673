/** How what is asked below `/oauth/` is refused (RFC 6749 5.2). */
import type { Reply } from '../../http/reply.ts';
import type { Problem } from '../../http/problems.ts';

/** What goes wrong before or beside an endpoint, such as a body that cannot be read, in the standard's words. */
const WORDS: Readonly<Record<string, string>> = {
  malformed_body: 'invalid_request',
  body_too_large: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  method_not_allowed: 'invalid_request',
  not_found: 'invalid_request',
  internal_error: 'server_error',
};

/** RFC 6749 5.1: nothing that the token endpoint says is to be kept. */
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
