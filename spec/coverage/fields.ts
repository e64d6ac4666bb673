/** Compares two schemas: missing fields and different types. */
import type { Segment } from '../ruleset/document/place.mjs';
import type { Schema } from '../ruleset/document/schema.mjs';
import {
  keyword,
  placeOfKeyword,
  property,
  propertyNames,
  schemaAt,
  typesOf,
  useOf,
} from '../ruleset/document/schema.mjs';

export interface FieldDifference {
  /** For example `spec.triggers[].type`; empty for the value itself. */
  field: string;
  /** Continues a sentence that starts with the field or the body. */
  says: string;
  /** Path in the document at which it is missing or different. */
  path: readonly Segment[];
}

/** Pairs of schemas already compared, to report each place once and to stop at cycles. */
export type ComparedSchemas = Map<unknown, Set<unknown>>;

/** Read-only fields are required only in responses. */
export type Direction = 'request' | 'response';

/** Reports documented fields that `theirs` lacks. Additional fields and undocumented shapes are ignored. */
export function compareFields(
  ours: Schema,
  theirs: Schema,
  direction: Direction,
  compared: ComparedSchemas,
): FieldDifference[] {
  return differencesAt('', ours, theirs);

  function differencesAt(field: string, our: Schema, their: Schema): FieldDifference[] {
    if (!isNewPair(compared, our, their)) return [];
    const [wanted, has] = [typesOf(our), typesOf(their)];
    if (wanted.length > 0 && has.length > 0 && !has.some((type) => wanted.includes(type))) {
      return [{ field, says: `is of type ${has.join(' or ')}, not ${wanted.join(' or ')}`, path: useOf(their).path }];
    }
    return [
      ...propertyNames(our).flatMap((name) =>
        propertyDifferences(field === '' ? name : `${field}.${name}`, name, our, their),
      ),
      ...bothAt(`${field}[]`, property(our, '[]'), property(their, '[]')),
      ...bothAt(`${field}.*`, valuesOf(our), valuesOf(their)),
    ];
  }

  function propertyDifferences(field: string, name: string, our: Schema, their: Schema): FieldDifference[] {
    const inner = property(our, name);
    if (direction === 'request' && keyword(inner, 'readOnly') === true) return [];
    const other = property(their, name);
    return other === undefined ? [{ field, says: 'is missing', path: their[0].path }] : bothAt(field, inner, other);
  }

  function bothAt(field: string, our: Schema | undefined, their: Schema | undefined): FieldDifference[] {
    return our === undefined || their === undefined ? [] : differencesAt(field, our, their);
  }
}

function isNewPair(compared: ComparedSchemas, ours: Schema, theirs: Schema): boolean {
  const [our, their] = [ours.at(-1)?.value, theirs.at(-1)?.value];
  const others = compared.get(our) ?? new Set();
  if (others.has(their)) return false;
  compared.set(our, others.add(their));
  return true;
}

/** Returns the schema of the values of a map. */
function valuesOf(schema: Schema): Schema | undefined {
  const values = placeOfKeyword(schema, 'additionalProperties');
  return values && schemaAt(values);
}
