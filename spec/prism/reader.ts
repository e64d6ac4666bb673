/** The documents as Prism reads them: an exchange in, what Prism finds wrong with it out. Loaded only when asked for. */
import { DEFAULT_BRAND } from '../brand.ts';
import type { OpenApiDocument, Surface } from '../documents.ts';
import { documentText, keyFor, surfaces } from '../documents.ts';
import type { OperationId } from '../generated/types.ts';
import type { ErrorForm } from '../promised-body.ts';
import type { Canaries } from './canaries.ts';
import { describedAnswers, tryCanaries } from './canaries.ts';
import { errorFormsOf, FORM_STATUS } from './error-forms.ts';
import { openPrism } from './prism.ts';

/** One thing that Prism finds. */
export interface ReaderFinding {
  readonly in: 'body' | 'header' | 'query' | 'path';
  /** JSON Pointer into the body, or `/name` of the header or parameter; empty for the body itself. */
  readonly at: string;
  /** Prism's own sentence; it quotes no value. */
  readonly says: string;
}

export interface ReadAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON value; undefined for an empty body. */
  readonly body: unknown;
}

export interface ReadRequest {
  /** Below the surface's address, with the query, percent-encoded as sent. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON value, or the text of a form; undefined for no body. Malformed JSON is not for Prism. */
  readonly body: unknown;
}

export interface PrismReader {
  /** The word in the header names that it knows. */
  readonly brand: string;
  /** What it made of the known-bad answers. */
  readonly canaries: Canaries;
  /**
   * What is wrong with the body and the headers of an answer; undefined where nothing can be, for the documents say nothing
   * of that status or of its body. A 2xx status that they do not list is held to the success answer that they do list. Of
   * Content-Type nothing is said: the body is read as JSON, whatever its media type.
   */
  answerFindings(id: OperationId, answer: ReadAnswer): ReaderFinding[] | undefined;
  /** What is wrong with the body of an error that must have a form of its own. */
  formFindings(form: ErrorForm, body: unknown): ReaderFinding[];
  /** What is wrong with the parameters, the headers and the body; read-only fields of a body are passed over. */
  requestFindings(id: OperationId, request: ReadRequest): ReaderFinding[];
}

/** Where documents come from: by surface, with the brand in the header names. */
export type DocumentSource = (surface: Surface, brand?: string) => string;

/** Reads all four documents, and tries the canaries: a second or two of computing. */
export async function readByPrism(brand = DEFAULT_BRAND, textOf: DocumentSource = documentText): Promise<PrismReader> {
  const read = (each: Surface) => JSON.parse(textOf(each, brand)) as OpenApiDocument;
  const documents = [...surfaces.map(read), errorFormsOf(read('management'))];
  const prism = await openPrism(documents);
  const answers = describedAnswers(documents);
  const telling = new Set(
    answers.filter(({ bad }) => bad.length > 0).map(({ operation, key }) => `${operation} ${key}`),
  );
  return {
    brand,
    canaries: tryCanaries(answers, prism.findAnswer),
    answerFindings(id, answer) {
      const key = keyFor(answer.status, prism.answersOf(id));
      if (key === undefined || !telling.has(`${id} ${key}`)) return undefined;
      return prism.findAnswer(id, key === 'default' ? answer : { ...answer, status: Number(key) });
    },
    formFindings: (form, body) => prism.findAnswer(form, { status: FORM_STATUS, headers: {}, body }),
    requestFindings: prism.findRequest,
  };
}
