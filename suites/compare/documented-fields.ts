/** Which fields of a response the document names. */
import { responseFields } from '../../spec/fields/response-fields.ts';
import type { OperationId } from '../../spec/operations.ts';

/** By operation and place, such as `updateAgent body.spec`. */
const byPlace = Map.groupBy(responseFields, ({ operation, field }) => {
  const end = field.lastIndexOf('.');
  return `${operation} body${end === -1 ? '' : `.${field.slice(0, end)}`}`;
});

const ERROR_FIELDS: ReadonlySet<string> = new Set(['error', 'code', 'message']);

/** The documented names of the members at a place. Undefined if the document names none there, so that any may be meant. */
export function documentedFields(operation: OperationId, at: string, status: number): ReadonlySet<string> | undefined {
  if (status >= 400) return at === 'body' ? ERROR_FIELDS : undefined;
  const own = byPlace.get(`${operation} ${at}`);
  return own && new Set(own.map(({ field }) => field.slice(field.lastIndexOf('.') + 1)));
}
