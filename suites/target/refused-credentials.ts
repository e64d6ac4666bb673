/** Finds wrong credentials before a run, with one GET request each: the run would otherwise fail where it uses them. */
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { placeOf, refusedCredential, strongestAccountCredential, type AccessWarning } from './account.ts';
import { requestStatus } from './request-status.ts';
import type { Secret, Target } from './target.ts';
import type { Transport } from './transport.ts';

/**
 * A warning for each credential that gets 401, except the strongest one, which `readAccount` checks, and for an expired one
 * that is accepted. Limited credentials may get 403.
 */
export async function findRefusedCredentials(target: Target, transport: Transport): Promise<AccessWarning[]> {
  const strongest = strongestAccountCredential(target);
  const others = credentialsOf(target).filter(([name]) => name !== strongest);
  const warnings = await Promise.all(
    others.map(async ([name, secret]) => {
      const status = await statusWith(secret, target, transport);
      if (name === 'expired') return acceptedExpired(secret, status);
      return status === 401 ? refusedCredential(name, secret) : undefined;
    }),
  );
  return warnings.filter((each) => each !== undefined);
}

/**
 * Rejects with InvalidInput if every credential gets 401, here and for another list: every rule that needs one would fail. A
 * target may refuse limited credentials `GET /accounts` in this way. `warnings`: of findRefusedCredentials and readAccount.
 */
export async function requireAcceptedCredential(
  target: Target,
  warnings: readonly AccessWarning[],
  transport: Transport,
): Promise<void> {
  const all = credentialsOf(target).filter(([name]) => name !== 'expired');
  const refused = new Set(warnings.map((warning) => warning.refusedCredential));
  if (target.client !== undefined || all.length === 0 || !all.every(([name]) => refused.has(name))) return;
  const statuses = await Promise.all(all.map(([, secret]) => statusWith(secret, target, transport, '/agents')));
  if (!statuses.every((status) => status === 401)) return;
  const places = all.map(([name, secret]) => placeOf(secret, `credentials.${name}`));
  throw new InvalidInput(
    `The target refuses every credential: GET /accounts and GET /agents returned 401. Replace the value of ${places.join(', ')}, and check that the management address is that of the deployment that issued them.`,
  );
}

/** All of the target, by key below `credentials`. */
function credentialsOf({ credentials: { scoped, ...named } }: Target): (readonly [string, Secret])[] {
  const own = credentialNames.map((name) => [name, named[name]] as const);
  const byScope = Object.entries(scoped).map(([scope, secret]) => [`scoped.${scope}`, secret] as const);
  return [...own, ...byScope].flatMap(([name, secret]) => (secret === undefined ? [] : [[name, secret] as const]));
}

/** Undefined if there was no response, which says nothing about the credential. */
const statusWith = (
  { value }: Secret,
  target: Target,
  transport: Transport,
  list: '/accounts' | '/agents' = '/accounts',
): Promise<number | undefined> => requestStatus(list, value, target, transport);

const acceptedExpired = (secret: Secret, status: number | undefined): AccessWarning | undefined =>
  status !== undefined && status >= 200 && status < 300
    ? {
        sentence: `credentials.expired is accepted: GET /accounts returned ${status}. Set ${placeOf(secret, 'credentials.expired')} to a token whose lifetime is over, or omit the credential.`,
      }
    : undefined;
