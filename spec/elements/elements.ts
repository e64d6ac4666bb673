/** Every documented element of every documented operation, read from the OpenAPI documents. */
import { firstOperations } from '../operation-versions.ts';
import type { Element } from './element.ts';
import { undocumentedElements } from './excuses.ts';
import { requestElements } from './request-elements.ts';
import { responseElements } from './response-elements.ts';

const isDocumented = ({ operation, element }: Element): boolean =>
  !undocumentedElements.some((each) => each.elements.test(`${operation} ${element}`));

/** Inferred operations are not included: no must rule calls them. */
export const elements: readonly Element[] = firstOperations()
  .filter(({ found }) => found.operation['x-documented'] !== false)
  .flatMap(({ document, found }) => [...requestElements(document, found), ...responseElements(document, found)])
  .filter(isDocumented);
