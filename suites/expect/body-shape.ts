/** The shape of a response body, as observations record it. */
import type { BodyShape } from '../../spec/observations/response-kinds.ts';
import { isFields } from '../json/fields.ts';

interface Body {
  /** Undefined if the text is not JSON. */
  readonly json?: unknown;
  readonly text: string;
}

/** Of an object only the names of its members: what is in them may differ each time. */
export function bodyShape({ json, text }: Body): BodyShape {
  if (json === undefined) return emptyOrText(text);
  if (Array.isArray(json)) return 'list';
  if (!isFields(json)) return scalarShape(json);
  return {
    object: Object.fromEntries(
      Object.keys(json)
        .toSorted()
        .map((name) => [name, 'any']),
    ),
  };
}

/** Members down to a depth; of a list in an object only that it is one. */
export const deepShape = ({ json, text }: Body, depth: number): BodyShape =>
  json === undefined ? emptyOrText(text) : shapeOf(json, depth);

const emptyOrText = (text: string): BodyShape => (text === '' ? 'nothing' : 'text');

function shapeOf(json: unknown, depth: number): BodyShape {
  if (Array.isArray(json)) return json.length === 0 ? 'empty list' : { list: shapeOf(json[0], depth) };
  if (!isFields(json)) return scalarShape(json);
  if (depth === 0) return 'object';
  const members = Object.keys(json)
    .toSorted()
    .map((name): [string, BodyShape] => {
      if (Array.isArray(json[name])) return [name, 'list'];
      return [name, isFields(json[name]) ? shapeOf(json[name], depth - 1) : 'scalar'];
    });
  return { object: Object.fromEntries(members) };
}

/** Without parameters; null if there is none. */
export const mediaType = (headers: Readonly<Record<string, string | undefined>>): string | null =>
  headers['content-type']?.split(';', 1)[0]?.trim() ?? null;

const scalarShape = (json: unknown): BodyShape =>
  json === null ? 'null' : (typeof json as 'string' | 'number' | 'boolean');
