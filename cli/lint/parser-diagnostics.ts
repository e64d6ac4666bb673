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

/** A mistake in the text, as a finding of Spectral's parsers. */
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
 * such as `[a,,b]`, or not JSON, such as one with comments. After the first mistake in JSON, and after an escape that lacks
 * digits, its errors are consequences. Throws TooComplex.
 */
export function correctDiagnostics<Found extends Diagnostic>(
  found: readonly Found[],
  text: string,
  syntax: Syntax,
): (Found | ParserError)[] {
  const mistake = syntax === 'json' ? firstJsonMistake(found, text) : undefined;
  if (mistake !== undefined)
    return [...found.filter((each) => isDuplicateBefore(each, mistake)), errorAt(mistake, `${mistake.message}.`)];
  const inspected = inspectYaml(text);
  if (syntax === 'yaml' && mayLackDigits(text)) {
    const errors = inspected.syntaxErrors();
    if (errors.length > 0) return errors.map((each) => errorAt(each, `${each.message}.`));
  }
  const withoutTabs = found.filter(({ message }) => message !== 'Using tabs can lead to unpredictable results');
  const others = firstAtEachPlace(withoutTabs);
  const tabs = withoutTabs.length === found.length ? [] : inspected.tabIndents();
  const overlooked = found.length > 0 ? [] : syntax === 'json' ? extensionsOfJson(text) : inspected.syntaxErrors();
  return [
    ...others,
    ...overlooked.map((each) => errorAt(each, `${each.message}.`)),
    ...tabs.map((each) => errorAt(each, 'A tab is not allowed as indentation. Use spaces.')),
    ...inspected.protoKeys().map((each) => errorAt(each, 'A key must not be called __proto__.')),
  ];
}

/** What Spectral's parser of JSON finds, by the names of jsonc-parser. */
const jsonMistakes: Readonly<Record<string, string>> = {
  InvalidSymbol: 'Strings and keys need double quotes; other words than true, false and null are not JSON',
  InvalidNumberFormat: 'Invalid number',
  PropertyNameExpected: 'A key in double quotes is expected; JSON allows no comma before }',
  ValueExpected: 'A value is expected; JSON allows no comma before ]',
  ColonExpected: 'A colon is expected after a key',
  CommaExpected: 'A comma, or the end of the object or array, is expected',
  CloseBraceExpected: 'A } is missing',
  CloseBracketExpected: 'A ] is missing',
  EndOfFileExpected: 'Nothing may follow the end of the document',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'A double quote is missing at the end of this string; a line end within it is written as \\n',
  UnexpectedEndOfNumber: 'This number is incomplete',
  InvalidUnicode: 'Four hexadecimal digits are expected after \\u',
  InvalidEscapeCharacter: 'JSON has only the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits',
  InvalidCharacter: 'A control character must be escaped, such as \\t',
};

/** The others are its consequences, or found after it is corrected. Undefined if Spectral's parser finds no mistake. */
function firstJsonMistake(found: readonly Diagnostic[], text: string): TextMistake | undefined {
  const syntax = found.find(({ message }) => Object.hasOwn(jsonMistakes, message));
  if (syntax === undefined) return undefined;
  const message = text.trim() === '' ? 'The document is empty' : jsonMistakes[syntax.message]!;
  const mistake: TextMistake = { ...positionOf(syntax), message };
  const [extension] = extensionsOfJson(text);
  return extension !== undefined && isBefore(extension, mistake) ? extension : mistake;
}

/** A key that is repeated before the mistake is no consequence of it. */
const isDuplicateBefore = (each: Diagnostic, mistake: TextMistake): boolean =>
  !Object.hasOwn(jsonMistakes, each.message) && isBefore(positionOf(each), mistake);

/** The others at a place are consequences of the first. */
function firstAtEachPlace<Found extends Diagnostic>(found: readonly Found[]): Found[] {
  const places = found.map(({ range: { start } }) => `${start.line}:${start.character}`);
  const first = new Map(places.map((place, index) => [place, index] as const).toReversed());
  return found.filter((_, index) => first.get(places[index]!) === index);
}

const positionOf = ({ range: { start } }: Diagnostic): TextPosition => ({
  line: start.line + 1,
  col: start.character + 1,
});

const isBefore = (one: TextPosition, other: TextPosition): boolean =>
  one.line < other.line || (one.line === other.line && one.col < other.col);

/** At most one. */
function extensionsOfJson(text: string): TextMistake[] {
  const extension = isJson(text) ? undefined : findJsonExtension(text);
  return extension === undefined ? [] : [extension];
}

function errorAt({ line, col }: TextPosition, message: string): ParserError {
  const place = { line: line - 1, character: col - 1 };
  return { code: 'parser', message, path: [], severity: 0, range: { start: place, end: place } };
}
