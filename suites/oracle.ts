/** Gives the exchanges of a run to Prism's reading of the documents, as far as they are for it. */
import type { LeftOut } from '../spec/oracle.ts';
import { operation } from '../spec/operations.ts';
import type { OperationId } from '../spec/operations.ts';
import type { Canaries } from '../spec/prism/canaries.ts';
import type { PrismReader, ReaderFinding } from '../spec/prism/reader.ts';
import type { ShapeFinding } from '../spec/verdicts.ts';
import { bodyFindings } from '../spec/validators.ts';
import type { Exchange, SentRequest } from './target/exchange.ts';

/** What was found in the body of an answer, undefined where the documents say nothing of it; or why nobody was asked. */
export type Reading = { found: readonly ShapeFinding[] | undefined } | { leftOut: LeftOut };

/** What our reader and Prism find in one body. */
export interface BothReadings {
  readonly ours: readonly ShapeFinding[];
  readonly prism: readonly ShapeFinding[];
}

export interface Oracle {
  /** Of the answer. */
  read(exchange: Exchange): Reading;
  /** Of the body of the request; undefined where it is none that both can read. */
  readRequest(exchange: Exchange): BothReadings | undefined;
  /** What the canaries proved; at the first call only, so that a run tells it once. */
  takeCanaries(): Canaries | undefined;
}

export function createOracle(reader: PrismReader): Oracle {
  let canaries: Canaries | undefined = reader.canaries;
  return {
    read(exchange) {
      const { operation: id, answer } = exchange;
      if (id === undefined) return { leftOut: whyUnknown(exchange) };
      const leftOut = whyLeftOut(id, exchange);
      if (leftOut !== undefined) return { leftOut };
      const { status, headers, json: body } = answer;
      return { found: reader.answerFindings(id, { status, headers, body })?.flatMap(ofBody) };
    },
    readRequest({ operation: id, request }) {
      const body = id === undefined ? undefined : jsonBodyOf(id, request);
      if (id === undefined || body === undefined) return undefined;
      const asked = { path: '/', headers: { 'content-type': JSON_TYPE }, body };
      return {
        ours: bodyFindings(id, body).map(({ at, says }) => ({ at, says })),
        prism: reader.requestFindings(id, asked).flatMap(ofBody),
      };
    },
    takeCanaries() {
      const taken = canaries;
      canaries = undefined;
      return taken;
    },
  };
}

/** Headers are left out: our own reader does not judge them. */
const ofBody = ({ in: place, at, says }: ReaderFinding): ShapeFinding[] => (place === 'body' ? [{ at, says }] : []);

const JSON_TYPE = 'application/json';

/** undefined for null, too, which Prism takes for no body at all. */
function jsonBodyOf(id: OperationId, { headers, body = '' }: SentRequest): unknown {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const { path, bodyTypes } = operation(id);
  if (type !== JSON_TYPE || !bodyTypes.includes(JSON_TYPE) || path.endsWith('/mcp')) return undefined;
  return jsonOf(body) ?? undefined;
}

function whyUnknown({ request: { body = '' } }: Exchange): LeftOut {
  return body === '' || jsonOf(body) !== undefined ? 'the request is of no operation' : 'the request is malformed JSON';
}

/** undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function whyLeftOut(id: OperationId, { answer: { status, headers, text, json } }: Exchange): LeftOut | undefined {
  if (operation(id).path.endsWith('/mcp')) return 'a message of MCP';
  const isWatch = id === 'watchDirectory' && status >= 200 && status <= 299;
  if (isWatch || headers['content-type']?.startsWith('text/event-stream') === true) return 'a stream';
  return text !== '' && json === undefined ? 'the answer is no JSON' : undefined;
}
