/** Whether an undocumented create succeeded with the requested name. */
import { isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';

/** A server may choose another name. */
export const isCreatedWithName = (exchange: Exchange, name: string): boolean =>
  isSuccessful(exchange) && exchange.response.text.includes(JSON.stringify(name));
