/** The elements of the responses: documented statuses, headers, and fields of success bodies. */
import { resolve } from '../openapi-document.ts';
import type { Content, FoundOperation, OpenApiDocument } from '../openapi-document.ts';
import { responseFields } from '../fields/response-fields.ts';
import type { OperationId } from '../operations.ts';
import type { Element } from './element.ts';
import { valuesAt } from './values-at.ts';

export function responseElements(document: OpenApiDocument, { operation }: FoundOperation): readonly Element[] {
  const id = operation.operationId as OperationId;
  const statuses = Object.entries(operation.responses).filter(([status]) => status !== 'default');
  return [
    ...statuses.flatMap(([status, response]) => [
      responseElement(id, `response ${status}`, (call) => call.status === Number(status)),
      ...headersOf(resolve<Content>(document, response)).map((name) =>
        responseElement(
          id,
          `response ${status} header ${name}`,
          (call) => call.status === Number(status) && call.responseHeaders[name.toLowerCase()] !== undefined,
        ),
      ),
    ]),
    ...responseFields
      .filter((each) => each.operation === id)
      .map(({ field }) =>
        responseElement(
          id,
          `response 200 ${field}`,
          ({ status, responseBody }) => isSuccess(status) && valuesAt(responseBody, segmentsOf(field)).length > 0,
        ),
      ),
  ];
}

const responseElement = (operation: OperationId, element: string, isIn: Element['isIn']): Element => ({
  operation,
  element,
  kind: 'response',
  isIn,
});

const headersOf = (response: Content & { headers?: Record<string, unknown> }): string[] =>
  Object.keys(response.headers ?? {});

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** `data[].cost` becomes data, [], cost. */
const segmentsOf = (field: string): string[] => field.replaceAll('[]', '.[]').split('.').filter(Boolean);
