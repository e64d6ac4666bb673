/** Finds out whether the management address is wrong: then the target has none of the operations below it. */
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { CORRECT_ADDRESS, strongestAccountCredential, type AccessWarning } from './account.ts';
import { redactionOf } from './redaction.ts';
import { requestStatus } from './request-status.ts';
import type { Target } from './target.ts';
import type { Transport } from './transport.ts';

/** Of different resources. Undocumented ones are included, because an unfinished server may have only those. */
const pathsOf = ({ account = 'assay' }: Target): string[] => [
  '/accounts',
  `/accounts/${encodeURIComponent(account)}/metrics/enums/group-by`,
  '/agents',
  '/functions',
  '/integrations/github',
];
const UNKNOWN_PATH = '/assay-unknown-path';

/**
 * Whether every operation responds like a path that does not exist: 404 to the strongest credential, and without one the
 * same status as an unknown path. A conforming target lists accounts, and a limited credential gets 403.
 */
export async function isAddressWrong(target: Target, transport: Transport): Promise<boolean> {
  const name = strongestAccountCredential(target);
  const bearer = name && target.credentials[name]?.value;
  const paths = pathsOf(target);
  const statusesFor = (credential: string | undefined): Promise<(number | undefined)[]> =>
    Promise.all(paths.map((path) => requestStatus(path, credential, target, transport)));
  if (!(await statusesFor(bearer)).every((status) => status === 404)) return false;
  const unknown = await requestStatus(UNKNOWN_PATH, undefined, target, transport);
  return (await statusesFor(undefined)).every((status) => status === unknown);
}

/** Whether the list of accounts was not found. `warnings`: of readAccount. */
export const mayBeWrong = (warnings: readonly AccessWarning[]): boolean =>
  warnings.some(({ missingStatus }) => missingStatus === 404);

/** Rejects with InvalidInput if the address is wrong. `warnings`: of readAccount. */
export async function requireCorrectAddress(
  target: Target,
  warnings: readonly AccessWarning[],
  transport: Transport,
): Promise<void> {
  if (!mayBeWrong(warnings)) return;
  if (await isAddressWrong(target, transport)) throw new InvalidInput(redactionOf(target).text(describe(target)));
}

const describe = (target: Target): string =>
  `Nothing of the API responds at ${target.addresses.management}: GET ${pathsOf(target).join(', GET ')} returned 404. ${CORRECT_ADDRESS}`;
