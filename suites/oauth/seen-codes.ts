/** Exchanges of authorization codes, with the authorization requests that got the codes. */
import type { Seen } from '../judge/seen.ts';
import { isReadable, issuedCodes, tokenRequestOf, valueOf } from './seen-oauth.ts';
import type { Parameters } from './seen-oauth.ts';

/** Where a server may publish what it supports (RFC 8414 section 5). */
export const discovery = ['getAuthorizationServerMetadata', 'getOpenIdConfiguration'] as const;

export interface CodeExchange {
  readonly code: string;
  readonly fields: Parameters;
  /** Undefined if the recording lacks the authorization request. */
  readonly request: Parameters | undefined;
  /** Of this code. */
  readonly isFirst: boolean;
}

/** Undefined for any other exchange, after it has noted the code of an authorization request. */
export function codeExchanges() {
  const codes = issuedCodes();
  const tried = new Set<string>();
  return {
    codeExchangeOf: (seen: Seen): CodeExchange | undefined => {
      if (seen.operation.id === 'authorize') return codes.note(seen);
      const fields = seen.operation.id === 'requestToken' ? tokenRequestOf(seen) : undefined;
      const code = fields && valueOf(fields, 'code');
      if (!fields || !code || !isReadable(code) || fields.get('grant_type') !== 'authorization_code') return undefined;
      const isFirst = !tried.has(code);
      tried.add(code);
      return { code, fields, request: codes.requestOf(code), isFirst };
    },
  };
}
