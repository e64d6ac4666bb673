/** The operations of the OpenAPI documents, as the reference lists them. */
import { resolve } from '../../../../../spec/openapi-document.ts';
import type {
  Content,
  FoundOperation,
  OpenApiDocument,
  OpenApiParameter,
  SecurityRequirement,
  Surface,
} from '../../../../../spec/openapi-document.ts';

export interface Server {
  /** May contain variables: `/sandbox/{workspace}/{sandbox}`. */
  readonly url: string;
  readonly variables?: Readonly<Record<string, { readonly default: string }>>;
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

/** A document as the mock serves it. */
export interface ServedDocument extends OpenApiDocument {
  /** The second is a path: the page sends requests to its own origin. */
  readonly servers: readonly [absolute: Server, relative: Server];
  readonly tags: readonly Tag[];
}

export interface ListedResponse extends Content {
  readonly status: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
}

export interface ListedOperation {
  readonly id: string;
  readonly surface: Surface;
  readonly method: FoundOperation['method'];
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** False if it follows from the pattern that all kinds share. */
  readonly isDocumented: boolean;
  readonly parameters: readonly OpenApiParameter[];
  readonly body?: Content;
  readonly responses: readonly ListedResponse[];
  readonly security: readonly SecurityRequirement[];
}

export interface SurfaceReference {
  readonly name: Surface;
  readonly document: ServedDocument;
  readonly operations: readonly ListedOperation[];
}

export function toListedOperation(surface: Surface, document: OpenApiDocument, found: FoundOperation): ListedOperation {
  const { method, path, operation, parameters } = found;
  const { operationId: id, summary, description = '', tags, security = document.security, requestBody } = operation;
  return {
    id,
    surface,
    method,
    path,
    tag: tags[0] ?? '',
    summary,
    description,
    isDocumented: operation['x-documented'] !== false,
    parameters,
    ...(requestBody && { body: resolve<Content>(document, requestBody) }),
    responses: Object.entries(operation.responses).map(([status, response]) => ({
      status,
      ...resolve<Content>(document, response),
    })),
    security,
  };
}

/** Words that all occur in the id, the method, the path or the summary. Matches everything if it is empty. */
export function matchesText({ id, method, path, summary, tag }: ListedOperation, text: string): boolean {
  const haystack = `${id} ${method} ${path} ${summary} ${tag}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
