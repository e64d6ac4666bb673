/** Checks that every address of the target file answers. */
import { surfaces } from '../../spec/documents.ts';
import type { Surface } from '../../spec/documents.ts';
import type { Target } from '../../suites/target/target.ts';
import { failed, passed } from './check.ts';
import type { Check } from './check.ts';
import { explainNetworkError } from './network-error.ts';
import { describeAnswer, isAnswered } from './prober.ts';
import type { Probed, Prober } from './prober.ts';

/** Statuses of a gateway without a working deployment behind it. */
const gatewayErrors = [502, 503, 504];

export interface CheckedAddresses {
  readonly checks: readonly Check[];
  /** Whether the management address answers. */
  readonly isReachable: boolean;
}

export async function checkAddresses(target: Target, prober: Prober): Promise<CheckedAddresses> {
  const configured = surfaces.filter((surface) => target.addresses[surface] !== undefined);
  const probed = await Promise.all(
    configured.map(async (surface) => ({
      surface,
      answer: await prober.get(surface, surface === 'management' ? '/accounts' : '/'),
    })),
  );
  return {
    checks: probed.map(({ surface, answer }) => judgeAddress(surface, answer, target)),
    isReachable: probed.some(({ surface, answer }) => surface === 'management' && isAnswered(answer)),
  };
}

function judgeAddress(surface: Surface, probed: Probed, target: Target): Check {
  const subject = `addresses.${surface}`;
  const address = target.addresses[surface];
  if (!isAnswered(probed)) {
    const { what, advice } = explainNetworkError(probed.error);
    return failed(subject, `${address} does not answer: ${what}`, advice);
  }
  if (gatewayErrors.includes(probed.status))
    return failed(
      subject,
      `${address}: ${describeAnswer(probed)}`,
      'Check that the deployment behind the gateway runs.',
    );
  if (surface === 'management' && probed.status === 404)
    return failed(
      subject,
      `${address}: ${describeAnswer(probed)}`,
      'The management address includes its path, such as /v0.',
    );
  return passed(subject, `${address} answers`);
}
