/** Finds wrong credentials before a run, with one GET request each: the run would otherwise fail where it uses them. */
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { operation } from '../../spec/operations.ts';
import { placeOf, refusedCredential, strongestAccountCredential, type AccessWarning } from './account.ts';
import { credentialsOf } from './credentials-of.ts';
import { requestStatus } from './request-status.ts';
import type { Secret, Target } from './target.ts';
import type { Transport } from './transport.ts';
import { fillPath } from './wire-request.ts';

/**
 * The request that shows whether a credential is valid: the list of metrics dimensions, which every member may read; without
 * an account, the list of accounts, which a target may refuse a limited credential.
 */
export const credentialCheckOf = ({ account }: Target): 'listMetricsGroupBy' | 'listAccounts' =>
  account === undefined ? 'listAccounts' : 'listMetricsGroupBy';

/**
 * The warnings of readAccount that remain, and one for each credential that gets 401 and for an expired one that is
 * accepted. Limited credentials may get 403. `target`: with its account, if that is known.
 */
export async function findRefusedCredentials(
  target: Target,
  ofAccount: readonly AccessWarning[],
  transport: Transport,
): Promise<AccessWarning[]> {
  const { path } = operation(credentialCheckOf(target));
  const others = ofAccount.filter(({ refusedCredential: refused }) => refused === undefined);
  const strongest = strongestAccountCredential(target);
  // A 401 of the list of accounts is checked again with the request that says more.
  const isChecked = path === '/accounts' || others.length === ofAccount.length;
  const unchecked = credentialsOf(target).filter(([name]) => name !== strongest || !isChecked);
  const warnings = await Promise.all(
    unchecked.map(async ([name, secret]) => {
      const status = await requestStatus(fillPath(path, target), secret.value, target, transport);
      if (name === 'expired') return acceptedExpired(secret, path, status);
      return status === 401 ? refusedCredential(name, secret, path) : undefined;
    }),
  );
  return [...(isChecked ? ofAccount : others), ...warnings.filter((each) => each !== undefined)];
}

/**
 * Rejects with InvalidInput if every credential gets 401, here and for another list: every rule that needs one would fail. A
 * target may refuse limited credentials `GET /accounts` in this way. `warnings`: of findRefusedCredentials.
 */
export async function requireAcceptedCredential(
  target: Target,
  warnings: readonly AccessWarning[],
  transport: Transport,
): Promise<void> {
  const all = credentialsOf(target).filter(([name]) => name !== 'expired');
  const refused = new Set(warnings.map((warning) => warning.refusedCredential));
  if (target.client !== undefined || all.length === 0 || !all.every(([name]) => refused.has(name))) return;
  const statuses = await Promise.all(all.map(([, { value }]) => requestStatus('/agents', value, target, transport)));
  if (!statuses.every((status) => status === 401)) return;
  const places = all.map(([name, secret]) => placeOf(secret, `credentials.${name}`));
  const { path } = operation(credentialCheckOf(target));
  throw new InvalidInput(
    `The target refuses every credential: GET ${path} and GET /agents returned 401. Replace the value of ${places.join(', ')}, and check that the management address is that of the deployment that issued them.`,
  );
}

/** `status`: undefined if there was no response, which says nothing about the credential. */
const acceptedExpired = (secret: Secret, path: string, status: number | undefined): AccessWarning | undefined =>
  status !== undefined && status >= 200 && status < 300
    ? {
        sentence: `credentials.expired is accepted: GET ${path} returned ${status}. Set ${placeOf(secret, 'credentials.expired')} to a token whose lifetime is over, or omit the credential.`,
      }
    : undefined;
