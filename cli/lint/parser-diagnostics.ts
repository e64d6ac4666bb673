/** Corrects what Spectral's parsers report, so that no document that is not read completely passes. */
import { findJsonExtension } from '../../spec/files/json-extension.ts';
import { inspectYaml } from '../../spec/files/parse-yaml.ts';
import type { TextMistake, TextPosition } from '../../spec/files/text-position.ts';
import { mayLackDigits } from './incomplete-escape.ts';
import { isJson } from './read-source.ts';

/** Of which Spectral has a parser. */
export type Syntax = 'json' | 'yaml';

interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: Place; readonly end: Place };
}

/** Both count from 0. */
interface Place {
  readonly line: number;
  readonly character: number;
}

/** A mistake that Spectral's parsers do not report as one. */
export interface ParserError {
  code: 'parser';
  message: string;
  path: string[];
  severity: 0;
  range: { start: Place; end: Place };
}

/**
 * Spectral warns of every tab, also of those that do no harm, and reads those that indent as nothing, which moves what follows
 * to another place. It loses the content of a key `__proto__`, and other keys with it, and reads some texts that are not YAML,
 * such as `[a,,b]`, or not JSON, such as one with comments. After an escape that lacks digits, its errors are consequences.
 * Throws TooComplex.
 */
export function correctDiagnostics<Found extends Diagnostic>(
  found: readonly Found[],
  text: string,
  syntax: Syntax,
): (Found | ParserError)[] {
  const inspected = inspectYaml(text);
  if (syntax === 'yaml' && mayLackDigits(text)) {
    const errors = inspected.syntaxErrors();
    if (errors.length > 0) return errors.map((each) => errorAt(each, `${each.message}.`));
  }
  const others = found.filter(({ message }) => message !== 'Using tabs can lead to unpredictable results');
  const tabs = others.length === found.length ? [] : inspected.tabIndents();
  const overlooked = found.length > 0 ? [] : syntax === 'json' ? extensionsOfJson(text) : inspected.syntaxErrors();
  return [
    ...others,
    ...overlooked.map((each) => errorAt(each, `${each.message}.`)),
    ...tabs.map((each) => errorAt(each, 'A tab is not allowed as indentation. Use spaces.')),
    ...inspected.protoKeys().map((each) => errorAt(each, 'A key must not be called __proto__.')),
  ];
}

/** At most one. */
function extensionsOfJson(text: string): TextMistake[] {
  const extension = isJson(text) ? undefined : findJsonExtension(text);
  return extension === undefined ? [] : [extension];
}

function errorAt({ line, col }: TextPosition, message: string): ParserError {
  const place = { line: line - 1, character: col - 1 };
  return { code: 'parser', message, path: [], severity: 0, range: { start: place, end: place } };
}
