/** Tokens of sandbox previews. The document shows no field of them: here they have the common envelope. */
import type { PreviewTokenToWrite } from '../../../spec/generated/types.ts';
import type { ResourceInput } from './kind.ts';
import type { JsonObject } from '../../http/json-object.ts';
import type { Rule } from './rules/rule.ts';

export function readPreviewToken(body: JsonObject): ResourceInput {
  // The body fits the schema when it comes here.
  const { metadata, spec = {} } = body as unknown as PreviewTokenToWrite;
  return { metadata, spec };
}

/** The value is the server's, made once. */
export const makeTokenValue: Rule = ({ world, spec, before }) => {
  spec['token'] = before?.spec['token'] ?? world.random.hex(40);
};
