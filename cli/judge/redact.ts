/** Requests of others as the report quotes them: documented headers only, without secrets. */
import { Unknown } from '../../suites/judge/seen.ts';
import type { Exchange, SentRequest } from '../../suites/target/exchange.ts';
import type { Mismatch, Sent } from '../../suites/target/violation.ts';
import { isDocumentedForm, repeatableNames, type Secrets } from '../proxy/secrets.ts';
import { isMeaningful } from './read-exchange.ts';

/** Characters. A longer body is omitted: it cannot be searched for secrets in a reasonable time. */
const MAX_REDACTED = 2 ** 20;

function redactRequest(request: SentRequest, secrets: Secrets, brand: string): SentRequest {
  const { method, url, headers, bytes } = request;
  const body = bodyIn(request);
  const quoted = repeatableNames(brand);
  const kept = Object.entries(headers).filter(([name]) => quoted.has(name.toLowerCase()) || isMeaningful(name));
  const isForm = isDocumentedForm(new URL(url).pathname, Object.entries(headers).flat().map(String));
  return {
    method,
    url: secrets.redaction.text(url),
    headers: Object.fromEntries(
      kept.map(([name, value]) => [name, mapEach(value, (each) => secrets.cleanHeader(name, each))]),
    ),
    // Bytes cannot be searched for secrets.
    ...(body !== undefined &&
      bytes !== true &&
      body.length <= MAX_REDACTED && { body: secrets.cleanBody(body, isForm) }),
  };
}

/** Undefined if it is unknown. */
function bodyIn(request: SentRequest): string | undefined {
  try {
    return request.body;
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

const mapEach = (value: string | string[], map: (each: string) => string): string | string[] =>
  typeof value === 'string' ? map(value) : value.map(map);

export const redactExchange = (exchange: Exchange, secrets: Secrets, brand: string): Exchange => ({
  ...exchange,
  request: redactRequest(exchange.request, secrets, brand),
});

export function redactMismatch(mismatch: Mismatch, secrets: Secrets, brand: string): Mismatch {
  const clean = (exchange: Exchange): Exchange => redactExchange(exchange, secrets, brand);
  const cleanSent = (sent: Sent): Sent[] => {
    if ('opens' in sent || 'closes' in sent) return [];
    return ['request' in sent ? clean(sent) : sent.map(clean)];
  };
  const { before, concurrent, exchange } = mismatch;
  return {
    ...mismatch,
    exchange: clean(exchange),
    ...(before && { before: before.flatMap(cleanSent) }),
    ...(concurrent && { concurrent: concurrent.map(clean) }),
  };
}
