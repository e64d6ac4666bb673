/** A documented part of an operation that a run can exercise, and how to recognize it in an exchange. */
import type { OperationId } from '../operations.ts';

/** A call of a documented operation and its response. */
export interface Call {
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** The parsed body: JSON, or the fields of a form. Undefined if there is none or it cannot be parsed. */
  readonly body: unknown;
  readonly status: number;
  /** Lower-case names. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Undefined if it is not JSON. */
  readonly responseBody: unknown;
}

/**
 * valid: exercised if the target accepts a request that contains it. invalid: exercised if nothing else in the request is
 * invalid, whatever the response. response: exercised if a response contains it.
 */
export type ElementKind = 'valid' | 'invalid' | 'response';

export interface Element {
  readonly operation: OperationId;
  /** Unique per operation, such as `query limit`, `query limit = 99`, `body metadata.name of 49 characters` or `response 200`. */
  readonly element: string;
  readonly kind: ElementKind;
  readonly isIn: (call: Call) => boolean;
}

/** An element of an operation that is still to be added. */
export type UnnamedElement = Omit<Element, 'operation'>;

/** The element that any accepted call exercises. */
export const THE_OPERATION = 'the operation';
