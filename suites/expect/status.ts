/** Expectations on the status of a response. */
import type { Exchange } from '../target/exchange.ts';
import type { Mismatch } from '../target/violation.ts';

/** One status, or any of several. */
export function status(exchange: Exchange, allowed: number | readonly number[]): Mismatch[] {
  const list = [allowed].flat();
  const actual = exchange.response.status;
  return list.includes(actual)
    ? []
    : [{ expected: `status ${list.join(' or ')}`, actual: `status ${actual}`, exchange }];
}

export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx';

/** Any status of the class. */
export function statusClass(exchange: Exchange, expected: StatusClass): Mismatch[] {
  const actual = exchange.response.status;
  return `${Math.floor(actual / 100)}xx` === expected
    ? []
    : [{ expected: `status ${expected}`, actual: `status ${actual}`, exchange }];
}

/** The target finds the request invalid. A quota may also be full with other statuses. */
export const isInvalid = ({ response: { status: code } }: Exchange): boolean => code === 400 || code === 422;

/** 4xx or 5xx. */
export const isHttpError = ({ response: { status: code } }: Exchange): boolean => code >= 400;

/** 4xx, including 404: a server may hide resources from unauthorized callers. */
export const isRefused = ({ response: { status: code } }: Exchange): boolean => code >= 400 && code < 500;
