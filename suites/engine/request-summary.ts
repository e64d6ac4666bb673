/** The request of a counterexample as reports store it. */
import type { Counterexample } from '../../spec/verdicts.ts';
import type { SentRequest } from '../target/exchange.ts';

/** Whole bodies are in the curl command. */
const MAX_BODY_LENGTH = 2000;

/** Omits a body that is not text. */
export function summarizeRequest({
  method,
  url,
  headers,
  body,
  bytes,
}: SentRequest): NonNullable<Counterexample['request']> {
  const isText = body !== undefined && bytes !== true;
  return { method, url, headers, ...(isText && { body: truncate(body) }) };
}

const truncate = (body: string): string =>
  body.length <= MAX_BODY_LENGTH ? body : `${body.slice(0, MAX_BODY_LENGTH)}…`;
