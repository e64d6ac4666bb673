/** Tokens of sandbox previews. The document shows no field of them: here they have the common envelope. */
import { invalidField } from '../problems.ts';
import type { Writing } from './kinds.ts';
import type { JsonObject } from './resources.ts';
import { objectMember, textMember, type Rule } from './rules/rule.ts';

export function readPreviewToken(body: JsonObject): Writing {
  const metadata = objectMember(body, 'metadata', '');
  const name = metadata && textMember(metadata, 'name', 'metadata.');
  if (metadata === undefined || name === undefined) throw invalidField('metadata.name', name, 'the name of the token');
  return { metadata: { ...metadata, name }, spec: objectMember(body, 'spec', '') ?? {} };
}

/** The value is the server's, made once. */
export const makeTokenValue: Rule = ({ world, spec, before }) => {
  spec['token'] = before?.spec['token'] ?? world.random.hex(40);
};
