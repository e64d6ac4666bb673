/** Every documented element of every documented operation, read from the OpenAPI documents. */
import { documentOf } from '../documents.ts';
import { eachOperation, surfaces } from '../openapi-document.ts';
import type { Element } from './element.ts';
import { undocumentedElements } from './excuses.ts';
import { requestElements } from './request-elements.ts';
import { responseElements } from './response-elements.ts';

const isDocumented = ({ operation, element }: Element): boolean =>
  !undocumentedElements.some((each) => each.elements.test(`${operation} ${element}`));

/** Inferred operations are not included: no must rule calls them. */
export const elements: readonly Element[] = surfaces.flatMap((surface) => {
  const document = documentOf(surface);
  const documented = eachOperation(document)
    .filter(({ operation }) => operation['x-documented'] !== false)
    .flatMap((found) => [...requestElements(document, found), ...responseElements(document, found)]);
  return documented.filter(isDocumented);
});
