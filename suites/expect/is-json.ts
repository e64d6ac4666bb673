/** Expects a JSON response with a JSON content type. */
import { formatValue } from './format-value.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Mismatch } from '../target/violation.ts';

/** The body is JSON, and Content-Type is application/json or a +json type (errors.management.is-json). */
export function isJson(exchange: Exchange): Mismatch[] {
  const { headers, json, text } = exchange.response;
  const type = headers['content-type'];
  const isJsonType = type !== undefined && /^application\/(json|[\w.!#$&^-]+\+json)\s*(;|$)/i.test(type);
  return [
    ...(isJsonType
      ? []
      : [
          {
            expected: 'Content-Type application/json or a +json type',
            actual: type === undefined ? 'no Content-Type' : `Content-Type ${type}`,
            exchange,
          },
        ]),
    ...(json === undefined ? [{ expected: 'a JSON body', actual: describeBody(text), exchange }] : []),
  ];
}

const describeBody = (text: string): string => (text === '' ? 'an empty body' : `the body ${formatValue(text, 80)}`);
