/** Checks exchanges against the documents with Prism, which is loaded on first use. */
import type { ReceivedResponse, SentRequest, ReaderFinding } from './reader-types.ts';
import { DEFAULT_BRAND } from '../brand.ts';
import type { OpenApiDocument, Surface } from '../openapi-document.ts';
import { documentText } from '../documents.ts';
import { keyFor, surfaces } from '../openapi-document.ts';
import type { OperationId } from '../generated/types.ts';
import type { ErrorForm } from '../body-requirement.ts';
import type { SelfCheck } from './self-check.ts';
import { documentedResponses, runSelfCheck } from './self-check.ts';
import { errorFormsOf, FORM_STATUS } from './error-forms.ts';
import { openPrism } from './prism.ts';

export interface PrismReader {
  /** The brand in the header names. */
  readonly brand: string;
  /** Result of the self-check with invalid responses. */
  readonly canaries: SelfCheck;
  /**
   * Returns the findings in the body and headers of a response, or undefined if the documents do not describe the status or
   * its body. An unlisted 2xx status is checked against the listed success response. The body is read as JSON regardless of
   * its Content-Type.
   */
  responseFindings(id: OperationId, response: ReceivedResponse): ReaderFinding[] | undefined;
  /** Returns the findings in the body of an error with a special schema. */
  formFindings(form: ErrorForm, body: unknown): ReaderFinding[];
  /** Returns the findings in parameters, headers and body. Read-only fields of the body are ignored. */
  requestFindings(id: OperationId, request: SentRequest): ReaderFinding[];
}

/** Returns the text of the document of a surface, with the brand in its header names. */
export type DocumentSource = (surface: Surface, brand?: string) => string;

/** Reads all four documents and runs the self-check, which takes a second or two. */
export async function readByPrism(brand = DEFAULT_BRAND, textOf: DocumentSource = documentText): Promise<PrismReader> {
  const read = (each: Surface) => JSON.parse(textOf(each, brand)) as OpenApiDocument;
  const documents = [...surfaces.map(read), errorFormsOf(read('management'))];
  const prism = await openPrism(documents);
  const responses = documentedResponses(documents);
  const checkable = new Set(
    responses.filter(({ bad }) => bad.length > 0).map(({ operation, key }) => `${operation} ${key}`),
  );
  return {
    brand,
    canaries: runSelfCheck(responses, prism.responseFindings),
    responseFindings(id, response) {
      const key = keyFor(response.status, prism.responseKeys(id));
      if (key === undefined || !checkable.has(`${id} ${key}`)) return undefined;
      return prism.responseFindings(id, key === 'default' ? response : { ...response, status: Number(key) });
    },
    formFindings: (form, body) => prism.responseFindings(form, { status: FORM_STATUS, headers: {}, body }),
    requestFindings: prism.requestFindings,
  };
}
