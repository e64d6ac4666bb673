/** Self-check of a validator: it must reject responses that are known to be invalid. */
import type { OpenApiDocument } from '../openapi-document.ts';
import { contentOf, eachOperation, resolve } from '../openapi-document.ts';
import type { OperationId } from '../generated/types.ts';
import type { InvalidBody } from './invalid-bodies.ts';
import { invalidBodies } from './invalid-bodies.ts';
import type { ReceivedResponse } from './reader-types.ts';
import type { ReaderFinding } from './reader-types.ts';

/** A JSON response of the documents. */
export interface DocumentedResponse {
  readonly operation: OperationId;
  /** A status or `default`. */
  readonly key: string;
  /** A status to which this response applies. */
  readonly status: number;
  /** Empty if every body is valid. */
  readonly bad: readonly InvalidBody[];
}

/** How many invalid responses a validator received and rejected. */
export interface SelfCheck {
  readonly sent: number;
  readonly caught: number;
  /** Descriptions of the invalid responses that it accepted. */
  readonly missed: readonly string[];
  /** Responses for which every body is valid, such as `createFunction 200`. */
  readonly nothingToSay: readonly string[];
}

export function documentedResponses(documents: readonly OpenApiDocument[]): DocumentedResponse[] {
  return documents.flatMap((document) =>
    eachOperation(document).flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses).flatMap(([key, response]) =>
        contentOf(resolve(document, response))
          .filter(([type]) => type === 'application/json')
          .map(([, schema]) => ({
            operation: operationId as OperationId,
            key,
            status: key === 'default' ? unlistedStatus(Object.keys(responses)) : Number(key),
            bad: invalidBodies(schema, document),
          })),
      ),
    ),
  );
}

const failureStatuses = [500, 503, 418, 409];

function unlistedStatus(keys: readonly string[]): number {
  const free = failureStatuses.find((status) => !keys.includes(String(status)));
  if (free === undefined)
    throw new Error(`No unlisted status is available for "default" in addition to ${keys.join(', ')}.`);
  return free;
}

type ReadResponseFunction = (id: OperationId, response: ReceivedResponse) => readonly ReaderFinding[];

/** Validates every invalid response. One counts as caught if an error is found at each of its invalid places. */
export function runSelfCheck(responses: readonly DocumentedResponse[], read: ReadResponseFunction): SelfCheck {
  const missed = responses.map((response) => response.bad.flatMap((bad) => describeMiss(response, bad, read)));
  const sent = responses.reduce((sum, { bad }) => sum + bad.length, 0);
  return {
    sent,
    caught: sent - missed.flat().length,
    missed: missed.flat(),
    nothingToSay: responses.filter(({ bad }) => bad.length === 0).map(({ operation, key }) => `${operation} ${key}`),
  };
}

/** Returns one sentence if an invalid place is missed. */
function describeMiss(
  { operation, key, status }: DocumentedResponse,
  bad: InvalidBody,
  read: ReadResponseFunction,
): string[] {
  const found = new Set(read(operation, { status, headers: {}, body: bad.body }).map(({ at }) => at));
  const [first, ...others] = bad.wrongAt.filter((at) => !found.has(at));
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and at ${others.length} other places`;
  return [`${operation} ${key}: ${bad.kind}, not detected at ${first || 'the body'}${more}`];
}
