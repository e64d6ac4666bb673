/** The callers of a case: which credential of the target a client sends. */
import type { CredentialName } from '../../spec/formats/target-values.ts';
import type { Scope } from '../../spec/operations.ts';
import type { Need } from '../../spec/requirements/requirement.ts';
import type { Caller } from '../target/request-types.ts';
import { isJwt, sourceOf } from '../target/target.ts';
import type { Secret, Target } from '../target/target.ts';
import { NotTried } from '../target/violation.ts';

/** `token` is sent unchanged. */
export type CallerName = CredentialName | 'none' | { scoped: Scope } | { token: string };

const credentialsByStrength = ['admin', 'apiKey', 'workspaceAdmin', 'member', 'unrelated'] as const;

/** Whether the strongest credential may call every operation of the management API. */
export const isUnrestricted = ({ credentials: { admin, apiKey } }: Target): boolean => (admin ?? apiKey) !== undefined;

/** Undefined if the target has no credentials other than scoped ones. */
export const strongestCredentialName = ({ credentials }: Target): CredentialName | undefined =>
  credentialsByStrength.find((name) => credentials[name] !== undefined);

/** Without a credential if the target has none. */
export function strongestCaller(target: Target): Caller {
  const name = strongestCredentialName(target);
  if (name !== undefined) return callerOf(name, target);
  const [first] = Object.entries(target.credentials.scoped);
  return first === undefined ? {} : callerWith(first[1], `credentials.scoped.${first[0]}`, false);
}

const needsOfCredentials = {
  admin: 'admin',
  apiKey: 'api-key',
  workspaceAdmin: 'workspace-admin',
  member: 'member',
  unrelated: 'noscope',
  expired: 'expired',
} as const satisfies Record<CredentialName, Need | 'expired'>;

/** Throws NotTried if the target does not have the credential. */
export function callerOf(name: CallerName, { credentials }: Target): Caller {
  if (name === 'none') return {};
  if (typeof name === 'object' && 'token' in name) return { bearer: name.token };
  const secret = typeof name === 'object' ? credentials.scoped[name.scoped] : credentials[name];
  if (secret === undefined)
    throw typeof name === 'object'
      ? new NotTried(`scope:${name.scoped}`, `scope:${name.scoped}`)
      : new NotTried(`the credential ${name}`, needsOfCredentials[name]);
  const canAuthenticate = typeof name === 'string' && name !== 'unrelated' && name !== 'expired';
  const place = typeof name === 'object' ? `scoped.${name.scoped}` : name;
  return callerWith(secret, `credentials.${place}`, canAuthenticate);
}

/** `place`: in the target file. */
const callerWith = (secret: Secret, place: string, canAuthenticate: boolean): Caller => ({
  bearer: secret.value,
  credential: { name: secret.name, source: sourceOf(secret, place), canAuthenticate },
  isApiKey: !isJwt(secret.value),
});
