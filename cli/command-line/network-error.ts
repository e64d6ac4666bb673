/** Explains network, proxy and TLS errors. */
import { HarnessError } from '../../suites/target/transport.ts';
import { explanations, proxyExplanations } from './error-explanations.ts';
import type { Explanation } from './error-explanations.ts';

/** The message of the error, which names the request and the proxy, with what it means and what to do if that is known. */
export function describeNetworkError(error: HarnessError): string {
  const known = knownExplanation(error, error.proxy);
  return known === undefined ? error.message : `${error.message}: ${known.what}. ${known.advice}`;
}

function knownExplanation(error: unknown, proxy: string | undefined): Explanation | undefined {
  const { code, message } = causeOf(error);
  const ofProxy = proxyExplanations.find(([pattern]) => proxy !== undefined && pattern.test(`${code} ${message}`))?.[1];
  return ofProxy ?? explanations[code ?? ''];
}

/** The error of a request that got no response, with the code in parentheses. */
export function explainNetworkError(error: unknown): Explanation {
  const { code, message } = causeOf(error);
  const proxy = error instanceof HarnessError ? error.proxy : undefined;
  const known = knownExplanation(error, proxy);
  const through = proxy === undefined ? '' : `, through the proxy ${proxy}`;
  if (known === undefined)
    return { what: `${code ?? message}${through}`, advice: 'Check the address and the network.' };
  const detail = code === undefined || code.startsWith('UND_ERR_INVALID') ? '' : ` (${code})`;
  return { ...known, what: `${known.what}${detail}${through}` };
}

/** The code of a DOMException is a number, which says little. */
function codeOf(error: Error): string | undefined {
  const { code, name } = error as { readonly code?: unknown; readonly name: string };
  if (name === 'TimeoutError') return name;
  return typeof code === 'string' ? code : undefined;
}

/** The innermost cause that has a code: a connection to several addresses fails with all of their errors. */
function causeOf(error: unknown): { readonly code?: string; readonly message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { errors } = error as { errors?: readonly unknown[] };
  const code = codeOf(error);
  const inner = [error.cause, errors?.[0]].filter((each) => each instanceof Error).map(causeOf);
  const withCode = inner.find((each) => each.code !== undefined);
  return withCode ?? { message: inner[0]?.message ?? error.message, ...(code === undefined ? {} : { code }) };
}
