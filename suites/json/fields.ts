import { isObject } from '../../spec/json-object.ts';

/** A JSON object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** False for null and lists. */
export const isFields = (value: unknown): value is Fields => isObject(value);

/** Undefined if it is not an object. */
export const fieldsOf = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

/** Null counts as omitted (decision 016). */
export const isOmitted = (value: unknown): value is undefined | null => value === undefined || value === null;
