/** Known-bad answers, by which a reader of the documents proves that it validates at all. */
import type { OpenApiDocument } from '../documents.ts';
import { contentOf, eachOperation, resolve } from '../documents.ts';
import type { OperationId } from '../generated/types.ts';
import type { KnownBad } from './known-bad.ts';
import { knownBadBodies } from './known-bad.ts';
import type { ReadAnswer, ReaderFinding } from './reader.ts';

/** One answer that the documents describe as JSON. */
export interface DescribedAnswer {
  readonly operation: OperationId;
  /** A status or `default`. */
  readonly key: string;
  /** One to which the documents apply that description. */
  readonly status: number;
  /** None where every body fits. */
  readonly bad: readonly KnownBad[];
}

/** How many known-bad answers a reader was given, and how many it found. */
export interface Canaries {
  readonly sent: number;
  readonly caught: number;
  /** The known-bad answers that it let pass, in words. */
  readonly missed: readonly string[];
  /** Answers that no body could misfit, as `createFunction 200`. */
  readonly nothingToSay: readonly string[];
}

export function describedAnswers(documents: readonly OpenApiDocument[]): DescribedAnswer[] {
  return documents.flatMap((document) =>
    eachOperation(document).flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses).flatMap(([key, response]) =>
        contentOf(resolve(document, response))
          .filter(([type]) => type === 'application/json')
          .map(([, schema]) => ({
            operation: operationId as OperationId,
            key,
            status: key === 'default' ? unlisted(Object.keys(responses)) : Number(key),
            bad: knownBadBodies(schema, document),
          })),
      ),
    ),
  );
}

const failures = [500, 503, 418, 409];

function unlisted(keys: readonly string[]): number {
  const free = failures.find((status) => !keys.includes(String(status)));
  if (free === undefined) throw new Error(`No failure is left for "default" beside ${keys.join(', ')}.`);
  return free;
}

type ReadsAnswer = (id: OperationId, answer: ReadAnswer) => readonly ReaderFinding[];

/** Gives every known-bad answer to a reader; one is caught when it is found bad at each of its bad places. */
export function tryCanaries(answers: readonly DescribedAnswer[], read: ReadsAnswer): Canaries {
  const missed = answers.map((answer) => answer.bad.flatMap((bad) => missedIn(answer, bad, read)));
  const sent = answers.reduce((sum, { bad }) => sum + bad.length, 0);
  return {
    sent,
    caught: sent - missed.flat().length,
    missed: missed.flat(),
    nothingToSay: answers.filter(({ bad }) => bad.length === 0).map(({ operation, key }) => `${operation} ${key}`),
  };
}

/** One sentence where something is missed. */
function missedIn({ operation, key, status }: DescribedAnswer, bad: KnownBad, read: ReadsAnswer): string[] {
  const found = new Set(read(operation, { status, headers: {}, body: bad.body }).map(({ at }) => at));
  const [first, ...others] = bad.wrongAt.filter((at) => !found.has(at));
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and at ${others.length} other places`;
  return [`${operation} ${key}: ${bad.kind}, not seen at ${first || 'the body'}${more}`];
}
