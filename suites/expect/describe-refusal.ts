/** What a target says about a refusal, for the reason of a rule that is not tried. */
import { fieldsOf } from '../json/fields.ts';
import type { Exchange } from '../target/exchange.ts';
import { formatValue } from './format-value.ts';

const MAX_QUOTED = 160;

/** Of a JSON body with an error or a message. Undefined if there is neither. */
export function messageOf({ response: { json } }: Exchange): string | undefined {
  const { message, error } = fieldsOf(json) ?? {};
  return [message, error].find((text) => typeof text === 'string' && text !== '') as string | undefined;
}

/** The status, and the message if there is one. */
export function describeRefusal(exchange: Exchange): string {
  const message = messageOf(exchange);
  const quoted = message === undefined ? '' : `: ${formatValue(message, MAX_QUOTED)}`;
  return `status ${exchange.response.status}${quoted}`;
}
