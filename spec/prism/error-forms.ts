/** The errors that are known by what they say as answers of operations of their own, since Prism reads nothing but operations. */
import type { OpenApiDocument, OpenApiOperation } from '../documents.ts';
import type { ErrorForm } from '../promised-body.ts';
import { errorForms } from '../promised-body.ts';

/** The status under which each form stands. */
export const FORM_STATUS = 400;

export function errorFormsOf(management: OpenApiDocument): OpenApiDocument {
  const { schemas } = management.components;
  return {
    ...management,
    security: [],
    paths: Object.fromEntries(errorForms.map((form) => [`/${form}`, { get: answering(form) }])),
    components: {
      schemas: Object.fromEntries(errorForms.map((form) => [form, schemas[form] ?? {}])),
      securitySchemes: {},
    },
  };
}

const answering = (form: ErrorForm): OpenApiOperation => ({
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
