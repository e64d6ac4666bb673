/** Checks that every address of the target file answers. */
import { surfaces } from '../../spec/documents.ts';
import type { Surface } from '../../spec/documents.ts';
import type { Target } from '../../suites/target/target.ts';
import { failed, passed } from './check.ts';
import type { Check } from './check.ts';
import { explainNetworkError } from './network-error.ts';
import { describeAnswer, isAnswered } from './prober.ts';
import type { Prober } from './prober.ts';

/** Statuses of a gateway without a working deployment behind it. */
const gatewayErrors = [502, 503, 504];

export async function checkAddresses(target: Target, prober: Prober): Promise<Check[]> {
  const configured = surfaces.filter((surface) => target.addresses[surface] !== undefined);
  return Promise.all(configured.map((surface) => checkAddress(surface, target, prober)));
}

async function checkAddress(surface: Surface, target: Target, prober: Prober): Promise<Check> {
  const subject = `addresses.${surface}`;
  const address = target.addresses[surface];
  const probed = await prober.get(surface, surface === 'management' ? '/accounts' : '/');
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
