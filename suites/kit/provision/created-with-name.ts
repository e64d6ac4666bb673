/** Whether a creation that the interface does not show was accepted, and under the name that was asked for. */
import { isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';

/** A server may choose another name, where it takes such creations at all: then nothing is known under this one. */
export const isCreatedWithName = (exchange: Exchange, name: string): boolean =>
  isSuccessful(exchange) && exchange.answer.text.includes(JSON.stringify(name));
