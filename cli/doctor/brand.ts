/** Checks that the target accepts the authorization header with the brand: if not, `brand` is probably wrong. */
import { DEFAULT_BRAND, headerNames } from '../../spec/brand.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Secret, Target } from '../../suites/target/target.ts';
import { passed, warning } from './check.ts';
import type { Check } from './check.ts';
import { describeResponse, hasResponse } from './prober.ts';
import type { ProbeResponse, Prober } from './prober.ts';

/**
 * Sends one GET request. `id` and `secret`: the target accepts this credential in Authorization for this operation. A warning
 * if it refuses the header with the brand, because nothing in the interface tells a client the brand of a deployment.
 * Undefined if the response says nothing about the header.
 */
export async function checkBrand(
  target: Target,
  prober: Prober,
  id: OperationId,
  { value }: Secret,
): Promise<Check | undefined> {
  const name = headerNames(target.brand).authorization;
  const response = await prober.call(id, {}, { headers: { [name]: `Bearer ${value}` } });
  if (!hasResponse(response)) return undefined;
  const { status } = response;
  if (status >= 200 && status < 300) return passed('brand', `${name} is accepted (${describeResponse(response)})`);
  if (status !== 401 && status !== 403) return undefined;
  const found = brandIn(response);
  return warning(
    'brand',
    `${name} is refused, although Authorization is accepted: ${describeResponse(response)}`,
    `Set brand in the target file to the word in the header names of the deployment (default: ${DEFAULT_BRAND})${found === undefined ? '' : `, probably ${found}`}. If ${target.brand} is right, the deployment should accept this header.`,
  );
}

/** Header names that a response could list, except those that proxies add. */
const BRANDED_NAME = /\bx-(?!forwarded-|original-)([a-z][a-z0-9]{0,30})-(?:authorization|workspace|thread-id)\b/i;

/** The brand in the names and values of response headers, such as Vary. Undefined if none contains one. */
export function brandIn({ headers }: Pick<ProbeResponse, 'headers'>): string | undefined {
  return BRANDED_NAME.exec(Object.entries(headers).flat().join('\n'))?.[1];
}
