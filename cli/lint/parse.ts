/** Parses a document for Spectral. JSON is parsed as JSON, whatever its file name. */
import type { Source } from './read-source.ts';
import { isJson, UnreadableSource } from './read-source.ts';
import { Document, Parsers } from './spectral.ts';

export type ParsedDocument = ReturnType<typeof parseDocument>;

/** Spectral's parser of JSON is many times as fast as that of YAML, and points more exactly. Throws UnreadableSource. */
export function parseDocument({ name, text }: Source) {
  return withParserErrors(() =>
    isJson(text) || name.endsWith('.json')
      ? new Document(text, Parsers.Json, name)
      : new Document(text, Parsers.Yaml, name),
  );
}

/** The parsers call themselves for each level, and fail at some values that are valid, such as `!!binary`. */
export function withParserErrors<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new UnreadableSource(
      error instanceof RangeError
        ? 'It is nested too deeply.'
        : 'It contains a value that the parser does not support, such as one with the tag !!binary.',
    );
  }
}
