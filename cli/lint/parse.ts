/** Parses a document for Spectral. JSON is parsed as JSON, whatever its file name. */
import { TooComplex } from '../../spec/files/too-complex.ts';
import { withRoomAtEnd } from './incomplete-escape.ts';
import { mergedData, withoutMergeTags } from './merge-keys.ts';
import { correctDiagnostics } from './parser-diagnostics.ts';
import type { Syntax } from './parser-diagnostics.ts';
import type { Source } from './read-source.ts';
import { isJson, UnreadableSource } from './read-source.ts';
import { Document, Parsers } from './spectral.ts';

export type ParsedDocument = ReturnType<typeof parseDocument>;

/** Spectral's parser of JSON is many times as fast as that of YAML, and points more exactly. Throws UnreadableSource. */
export function parseDocument({ name, text }: Source) {
  return withParserErrors(() =>
    isJson(text) || syntaxOf(name) === 'json'
      ? new Document(text, corrected(Parsers.Json, 'json'), name)
      : new Document(text, withMergedKeys(corrected(Parsers.Yaml, 'yaml')), name),
  );
}

/** The data of a YAML file in which a key stands before the merge key. Undefined for any other file. */
export const mergedDataOf = (text: string): unknown =>
  text.includes('<<') ? mergedData(Parsers.Yaml.parse(textToParse(text, 'yaml')).ast, text) : undefined;

/** How Spectral parses a file of this name. */
export const syntaxOf = (name: string): Syntax => (name.endsWith('.json') ? 'json' : 'yaml');

/** The text for Spectral's parser. */
export const textToParse = (text: string, syntax: Syntax): string =>
  syntax === 'yaml' ? withRoomAtEnd(withoutMergeTags(text)) : text;

interface Parser<Parsed> {
  parse: (text: string) => Parsed;
}

type Diagnostics = ReturnType<(typeof Parsers.Yaml)['parse']>['diagnostics'];

/** The parser with the diagnostics that decide whether a document was read completely. */
function corrected<Parsed extends { diagnostics: Diagnostics }, P extends Parser<Parsed>>(
  parser: P,
  syntax: Syntax,
): P {
  return {
    ...parser,
    parse(text: string) {
      const parsed = parser.parse(textToParse(text, syntax));
      return { ...parsed, diagnostics: correctDiagnostics(parsed.diagnostics, text, syntax) };
    },
  };
}

type YamlParser = typeof Parsers.Yaml;

const withMergedKeys = (parser: YamlParser): YamlParser => ({
  ...parser,
  parse(text) {
    const parsed = parser.parse(text);
    const data = mergedData(parsed.ast, text);
    return data === undefined ? parsed : { ...parsed, data };
  },
});

/** The parsers call themselves for each level, and fail at some values that are valid, such as `!!binary`. */
export function withParserErrors<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new UnreadableSource(describeFailure(error));
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof TooComplex) return error.message;
  return error instanceof RangeError
    ? 'It is nested too deeply.'
    : 'It contains a value that the parser does not support, such as one with the tag !!binary.';
}
