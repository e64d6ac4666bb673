/** Converts between the exchanges of recordings and those of the proxy. */
import type { BodyCopy } from '../proxy/body-copy.ts';
import type { RawHeaders } from '../proxy/end-to-end.ts';
import { valuesOf } from '../proxy/end-to-end.ts';
import type { EndedExchange, ForwardedExchange } from '../proxy/forward.ts';
import type { RecordedBody, RecordedExchange, RecordedHeaders } from './recording/recorded-exchange.ts';

/** For the search for credentials. */
export function forwardedOf(recorded: RecordedExchange): ForwardedExchange {
  const { method, url, requestHeaders, requestBody, status, responseHeaders, responseBody } = recorded;
  return {
    method,
    url,
    headers: requestHeaders.flat(),
    body: copyOf(requestBody),
    response: { status, headers: responseHeaders.flat(), body: copyOf(responseBody), isComplete: true },
  };
}

const copyOf = (body: RecordedBody): BodyCopy => ({
  text: () => ('text' in body && body.bytes !== true ? body.text : undefined),
  describeProblem: () => ('text' in body ? undefined : body.unknown),
});

/** Undefined without a complete head of a response. Reads the bodies, which the proxy gives up afterwards. */
export function recordedOf(origin: string, exchange: EndedExchange): RecordedExchange | undefined {
  const { method, url, headers, body, response, startedAt, endedAt } = exchange;
  if (response === undefined) return undefined;
  return {
    source: `request ${exchange.number}`,
    method,
    url: origin + url,
    requestHeaders: pairsOf(headers),
    requestBody: bodyOf(body, headers),
    status: response.status,
    responseHeaders: pairsOf(response.headers),
    responseBody: response.isComplete ? bodyOf(response.body, response.headers) : { unknown: 'it is incomplete' },
    startedAt,
    endedAt,
    isCallerUnknown: false,
    isRepeat: false,
  };
}

/** Characters. Rules may remember hundreds of bodies. */
const MAX_LENGTH = 2 ** 20;

function bodyOf(copy: BodyCopy, headers: RawHeaders): RecordedBody {
  const [encoding] = valuesOf(headers, 'content-encoding');
  const problem = copy.describeProblem(encoding);
  const text = copy.text(encoding);
  if (text === undefined || problem !== undefined) return { unknown: problem ?? 'it cannot be read' };
  return text.length > MAX_LENGTH ? { unknown: `it is longer than ${MAX_LENGTH} characters` } : { text };
}

const pairsOf = (raw: RawHeaders): RecordedHeaders =>
  raw.flatMap((name, index): RecordedHeaders => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
