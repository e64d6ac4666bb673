/** Example requests and successful responses of an operation, from the documents. */
import { firstOperations } from '../../../spec/operation-versions.ts';
import {
  resolve,
  type Content,
  type FoundOperation,
  type OpenApiDocument,
  type OpenApiExample,
  type OpenApiParameter,
  type Reference,
} from '../../../spec/openapi-document.ts';
import type { OperationId } from '../../../spec/operations.ts';

export interface DocumentedValues {
  readonly path: Readonly<Record<string, string>>;
  /** The required parameters only. */
  readonly query: Readonly<Record<string, string>>;
  /** The first example of the first media type. Undefined if the operation has no body. */
  readonly body: unknown;
  /** The media types of each successful response by status. Empty if it has no body. */
  readonly successes: ReadonlyMap<number, readonly string[]>;
}

const documentedById = new Map<string, DocumentedValues>(
  firstOperations().map(({ document, found }) => [found.operation.operationId, rowOf(document, found)]),
);

export function documentedValues(id: OperationId): DocumentedValues {
  const found = documentedById.get(id);
  if (found === undefined) throw new Error(`The documents have no operation "${id}".`);
  return found;
}

function rowOf(document: OpenApiDocument, { parameters, operation }: FoundOperation): DocumentedValues {
  const { requestBody, responses } = operation;
  const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  return {
    path: examplesOf(parameters.filter((each) => each.in === 'path')),
    query: examplesOf(parameters.filter((each) => each.in === 'query' && each.required === true)),
    body: requestBody && exampleOf(document, resolve<Content>(document, requestBody)),
    successes: new Map(successes.map(([status, response]) => [Number(status), typesOf(document, response)])),
  };
}

function typesOf(document: OpenApiDocument, response: Content | Reference): string[] {
  return Object.keys(resolve<Content>(document, response).content ?? {});
}

function examplesOf(parameters: readonly OpenApiParameter[]): Record<string, string> {
  return Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]));
}

function exampleOf(document: OpenApiDocument, { content = {} }: Content): unknown {
  const [first] = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
  return first && resolve<OpenApiExample>(document, first).value;
}
