/** Keys that are not strings, such as an unquoted 200: a finding of its own, because the rest of the document is read as usual. */
import { severities } from './finding.ts';

export const STRING_KEYS = 'string-keys';

interface ParserDiagnostic {
  readonly code: string | number;
  readonly message: string;
  readonly path: readonly (string | number)[];
  readonly severity: number;
}

/** Whether Spectral's parser reports such a key. */
export const isStringKeyFinding = ({ code, message }: Pick<ParserDiagnostic, 'code' | 'message'>): boolean =>
  code === 'parser' && message.startsWith('Mapping key must be a string scalar');

/** The diagnostic in our words, as a warning, because most tools accept the key. Any other one is returned as it is. */
export function inOurWords<Diagnostic extends ParserDiagnostic>(diagnostic: Diagnostic): Diagnostic {
  if (!isStringKeyFinding(diagnostic)) return diagnostic;
  const message = `Quote the key: '${String(diagnostic.path.at(-1))}'. The keys of OpenAPI documents are strings.`;
  return { ...diagnostic, code: STRING_KEYS, message, severity: severities.indexOf('warning') };
}
