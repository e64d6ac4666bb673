/** Checks that every address of the target file responds. */
import { isMissingStatus } from '../../spec/missing-operation.ts';
import { surfaces } from '../../spec/openapi-document.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import { CORRECT_ADDRESS } from '../../suites/target/account.ts';
import type { Target } from '../../suites/target/target.ts';
import { failed, passed } from './check.ts';
import type { Check } from './check.ts';
import { explainNetworkError } from '../command-line/network-error.ts';
import { describeResponse, hasResponse } from './prober.ts';
import type { ProbeResult, Prober } from './prober.ts';

/** Statuses of a gateway without a working deployment behind it. */
const gatewayErrors = [502, 503, 504];

export interface AddressChecks {
  readonly checks: readonly Check[];
  /** Whether the management address responds. */
  readonly isReachable: boolean;
}

export async function checkAddresses(target: Target, prober: Prober): Promise<AddressChecks> {
  const configured = surfaces.filter((surface) => target.addresses[surface] !== undefined);
  const results = await Promise.all(
    configured.map(async (surface) => ({
      surface,
      result: await prober.get(surface, surface === 'management' ? '/accounts' : '/'),
    })),
  );
  return {
    checks: results.map(({ surface, result }) => judgeAddress(surface, result, target)),
    isReachable: results.some(({ surface, result }) => surface === 'management' && hasResponse(result)),
  };
}

function judgeAddress(surface: Surface, result: ProbeResult, target: Target): Check {
  const subject = `addresses.${surface}`;
  const address = target.addresses[surface];
  if (!hasResponse(result)) {
    const { what, advice } = explainNetworkError(result.error);
    return failed(subject, `${address} does not respond: ${what}`, advice);
  }
  if (gatewayErrors.includes(result.status))
    return failed(
      subject,
      `${address}: ${describeResponse(result)}`,
      'Check that the deployment behind the gateway runs.',
    );
  if (surface === 'management' && isMissingStatus(result.status))
    return failed(subject, `${address}: ${describeResponse(result)}`, CORRECT_ADDRESS);
  if (surface === 'management' && result.status >= 500)
    return failed(
      subject,
      `${address}: ${describeResponse(result)}`,
      'Without a credential it should return 401. Check the deployment.',
    );
  return passed(subject, `${address} responds`);
}
