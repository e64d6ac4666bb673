/** Makes an operation of each special error schema, because Prism validates only operations. */
import type { OpenApiDocument, OpenApiOperation } from '../openapi-document.ts';
import type { ErrorForm } from '../body-requirement.ts';
import { errorForms } from '../body-requirement.ts';

/** The status of each form. */
export const FORM_STATUS = 400;

export function errorFormsOf(management: OpenApiDocument): OpenApiDocument {
  const { schemas } = management.components;
  return {
    ...management,
    security: [],
    paths: Object.fromEntries(errorForms.map((form) => [`/${form}`, { get: operationReturning(form) }])),
    components: {
      schemas: Object.fromEntries(errorForms.map((form) => [form, schemas[form] ?? {}])),
      securitySchemes: {},
    },
  };
}

const operationReturning = (form: ErrorForm): OpenApiOperation => ({
  operationId: form,
  summary: form,
  tags: [],
  responses: {
    [FORM_STATUS]: {
      description: form,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${form}` } } },
    },
  },
});
