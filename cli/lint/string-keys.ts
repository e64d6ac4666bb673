/** Keys that are not strings, such as an unquoted 200: a finding of its own, because the rest of the document is read as usual. */
import { severities } from './finding.ts';

export const STRING_KEYS = 'string-keys';

const NO_STRING = 'Mapping key must be a string scalar';

interface ParserDiagnostic {
  readonly code: string | number;
  readonly message: string;
  readonly path: readonly (string | number)[];
  readonly severity: number;
}

/** Whether Spectral's parser reports such a key. It reads scalars as strings, and skips all other keys. */
export const isStringKeyFinding = ({ code, message }: Pick<ParserDiagnostic, 'code' | 'message'>): boolean =>
  code === 'parser' && message.startsWith(`${NO_STRING} rather than `);

/**
 * The diagnostic in our words. A key that only has to be quoted is a warning, because most tools accept it. Whatever else the
 * parser reports is an error, because something was not read.
 */
export function inOurWords<Diagnostic extends ParserDiagnostic>(diagnostic: Diagnostic): Diagnostic {
  if (isStringKeyFinding(diagnostic)) {
    const message = `Quote the key: '${String(diagnostic.path.at(-1))}'. The keys of OpenAPI documents are strings.`;
    return { ...diagnostic, code: STRING_KEYS, message, severity: severities.indexOf('warning') };
  }
  if (diagnostic.code !== 'parser') return diagnostic;
  const message =
    diagnostic.message === NO_STRING ? 'A key must be a string, not a list or an object.' : diagnostic.message;
  return { ...diagnostic, message, severity: severities.indexOf('error') };
}
