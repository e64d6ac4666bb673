/** Tokens of sandbox previews. Their fields are not documented; the mock uses the common envelope. */
import type { PreviewTokenToWrite } from '../../../spec/generated/types.ts';
import { parseInstant } from '../../../spec/rfc3339.ts';
import { invalidField } from '../../http/problems.ts';
import type { ResourceInput } from './kind.ts';
import type { JsonObject } from '../../../spec/json-object.ts';
import type { Rule } from './rules/rule.ts';

export function readPreviewToken(body: JsonObject): ResourceInput {
  // The body has been validated.
  const { metadata, spec = {} } = body as unknown as PreviewTokenToWrite;
  return { metadata, spec };
}

/** `spec.expiresAt` is when the token ends; without it, the token does not end. */
export const checkExpiry: Rule = ({ spec }) => {
  const { expiresAt } = spec;
  if (expiresAt === undefined || (typeof expiresAt === 'string' && parseInstant(expiresAt) !== undefined)) return;
  throw invalidField('spec.expiresAt', expiresAt, 'an RFC 3339 timestamp such as 2026-11-01T00:00:00Z');
};

/** The server generates the value once. */
export const makeTokenValue: Rule = ({ world, spec, before }) => {
  spec['token'] = before?.spec['token'] ?? world.random.hex(40);
};
