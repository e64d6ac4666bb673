/** Tokens of sandbox previews. Their fields are not documented; the mock uses the common envelope. */
import type { PreviewTokenToWrite } from '../../../spec/generated/types.ts';
import type { ResourceInput } from './kind.ts';
import type { JsonObject } from '../../http/json-object.ts';
import type { Rule } from './rules/rule.ts';

export function readPreviewToken(body: JsonObject): ResourceInput {
  // The body has been validated.
  const { metadata, spec = {} } = body as unknown as PreviewTokenToWrite;
  return { metadata, spec };
}

/** The server generates the value once. */
export const makeTokenValue: Rule = ({ world, spec, before }) => {
  spec['token'] = before?.spec['token'] ?? world.random.hex(40);
};
