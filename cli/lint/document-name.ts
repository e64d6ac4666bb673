/** The names of documents in the words of the command, and in messages. */
import { redactUrl } from '../../spec/formats/secrets.ts';

export const STANDARD_INPUT = '-';

/** Without passwords and tokens. */
export function printableName(name: string): string {
  if (name === STANDARD_INPUT) return 'standard input';
  return name === '' ? '""' : redactUrl(name);
}
