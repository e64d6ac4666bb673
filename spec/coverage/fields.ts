/** What one schema lacks of another: fields that it does not have, and those it gives another type. */
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

export interface FieldLack {
  /** Such as `spec.triggers[].type`; empty for the value itself. */
  field: string;
  /** Reads on after "the field ..." or the name of the body. */
  says: string;
  /** Where the document would have it. */
  path: readonly Segment[];
}

/** Pairs of schemas that were compared, so that each place is told of once, and circles end. */
export type Compared = Map<unknown, Set<unknown>>;

/** What is compared: what the service sets itself is wanted of an answer only. */
export type Direction = 'request' | 'answer';

/** Wants of the other only what the interface shows: fields beyond that are free, and so is what ours marks as not shown. */
export function fieldLacks(ours: Schema, theirs: Schema, direction: Direction, compared: Compared): FieldLack[] {
  return lacksAt('', ours, theirs);

  function lacksAt(field: string, our: Schema, their: Schema): FieldLack[] {
    if (!isNewPair(compared, our, their)) return [];
    const [wanted, has] = [typesOf(our), typesOf(their)];
    if (wanted.length > 0 && has.length > 0 && !has.some((type) => wanted.includes(type))) {
      return [{ field, says: `is of type ${has.join(' or ')}, not ${wanted.join(' or ')}`, path: useOf(their).path }];
    }
    return [
      ...propertyNames(our).flatMap((name) =>
        propertyLacks(field === '' ? name : `${field}.${name}`, name, our, their),
      ),
      ...bothAt(`${field}[]`, property(our, '[]'), property(their, '[]')),
      ...bothAt(`${field}.*`, valuesOf(our), valuesOf(their)),
    ];
  }

  function propertyLacks(field: string, name: string, our: Schema, their: Schema): FieldLack[] {
    const inner = property(our, name);
    if (direction === 'request' && keyword(inner, 'readOnly') === true) return [];
    const other = property(their, name);
    return other === undefined ? [{ field, says: 'is missing', path: their[0].path }] : bothAt(field, inner, other);
  }

  function bothAt(field: string, our: Schema | undefined, their: Schema | undefined): FieldLack[] {
    return our === undefined || their === undefined ? [] : lacksAt(field, our, their);
  }
}

function isNewPair(compared: Compared, ours: Schema, theirs: Schema): boolean {
  const [our, their] = [ours.at(-1)?.value, theirs.at(-1)?.value];
  const others = compared.get(our) ?? new Set();
  if (others.has(their)) return false;
  compared.set(our, others.add(their));
  return true;
}

/** Of a map: its values have no names, only a schema. */
function valuesOf(schema: Schema): Schema | undefined {
  const values = placeOfKeyword(schema, 'additionalProperties');
  return values && schemaAt(values);
}
