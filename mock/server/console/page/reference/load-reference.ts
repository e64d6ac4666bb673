/** Loads the OpenAPI documents that the mock serves. */
import { eachOperation, surfaces } from '../../../../../spec/openapi-document.ts';
import { requestJson } from '../send-request.ts';
import { toListedOperation } from './operations.ts';
import type { ServedDocument, SurfaceReference } from './operations.ts';

/** Throws ErrorResponse, or TypeError if the mock does not respond. */
export const loadReference = (): Promise<SurfaceReference[]> =>
  Promise.all(
    surfaces.map(async (name) => {
      const document = await requestJson<ServedDocument>(`docs/${name}.json`);
      return {
        name,
        document,
        operations: eachOperation(document).map((found) => toListedOperation(name, document, found)),
      };
    }),
  );
