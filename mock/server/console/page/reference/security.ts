/** Describes the credentials and scopes that an operation accepts. */
import type { SecurityRequirement } from '../../../../../spec/openapi-document.ts';

export interface Access {
  /** Any of these is sufficient; empty if no scope is documented or no credential is needed. */
  readonly scopes: readonly string[];
  readonly sentence: string;
}

export function accessOf(security: readonly SecurityRequirement[]): Access {
  const names = security.flatMap((each) => Object.keys(each));
  const scopes = [...new Set(security.flatMap((each) => Object.values(each).flat()))];
  if (names.length === 0) return { scopes, sentence: 'No credential.' };
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  const kinds = 'An access token or an API key';
  if (scopes.length === 0)
    return { scopes, sentence: `${kinds}; no scope is documented.${isOptional ? ' Optional.' : ''}` };
  const any = scopes.length === 1 ? 'this scope' : 'one of these scopes';
  return { scopes, sentence: `${kinds}. An access token needs ${any}:` };
}
