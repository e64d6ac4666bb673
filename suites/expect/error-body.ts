/** The two documented error bodies. */
import type { Exchange } from '../target/exchange.ts';
import { formatValue } from './format-value.ts';
import { fieldsOf, isOmitted } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Mismatch } from '../target/violation.ts';

function field(exchange: Exchange, fields: Fields, name: string, fits: boolean, expected: string): Mismatch[] {
  return fits
    ? []
    : [{ expected: `${name}: ${expected}`, actual: `${name}: ${formatValue(fields[name], 80)}`, exchange }];
}

const notAnObject = (exchange: Exchange): Mismatch[] => [
  {
    expected: 'an error body that is a JSON object',
    actual: `the body ${formatValue(exchange.response.text, 80)}`,
    exchange,
  },
];

/** A management Error body: error, a string; code and message of their types if present, and not null (errors.management.body-shape). */
export function errorBody(exchange: Exchange): Mismatch[] {
  const fields = fieldsOf(exchange.response.json);
  if (fields === undefined) return notAnObject(exchange);
  const { error, code, message } = fields;
  return [
    ...field(exchange, fields, 'error', typeof error === 'string', 'a string'),
    ...field(exchange, fields, 'code', isOmitted(code) || Number.isInteger(code), 'an integer, or absent'),
    ...field(exchange, fields, 'message', isOmitted(message) || typeof message === 'string', 'a string, or absent'),
  ];
}

/** A sandbox error body: error, a string (errors.sandbox.body-shape). */
export function sandboxErrorBody(exchange: Exchange): Mismatch[] {
  const fields = fieldsOf(exchange.response.json);
  if (fields === undefined) return notAnObject(exchange);
  return field(exchange, fields, 'error', typeof fields['error'] === 'string', 'a string');
}
