/** Valid tokens that have exactly one scope: from the target file, or issued to the target's OAuth client. */
import type { OperationId } from '../../spec/operations.ts';
import { operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { tokenResponse } from '../kit/oauth/token-requests.ts';
import { scopedGrant } from '../kit/oauth/grants.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sharedValue } from '../engine/shared-values.ts';

const tokensOfRun = sharedValue<ScopedToken[]>();

export interface ScopedToken {
  readonly scope: string;
  readonly token: string;
}

/** The `unrelated` token of the target file comes first. */
export function scopedTokens(run: Run): Promise<ScopedToken[]> {
  return tokensOfRun.get(run, async () => {
    const { unrelated, scoped } = run.target.credentials;
    const named = Object.entries(scoped).map(([scope, { value }]) => ({ scope, token: value }));
    const found = [...(unrelated === undefined ? [] : [{ scope: 'unrelated', token: unrelated.value }]), ...named];
    const others = (run.target.client?.scopes ?? []).filter((scope) => !found.some((each) => each.scope === scope));
    for (const scope of others) {
      const token = await undefinedIfNotTried(granted(run, scope));
      if (token !== undefined) found.push({ scope, token });
    }
    return found;
  });
}

/** Undefined if the client gets no token, or one whose response names other scopes (RFC 6749 section 5.1). */
async function granted(run: Run, scope: string): Promise<string | undefined> {
  const { access_token: token, scope: grantedScope } = tokenResponse(await scopedGrant(run, scope));
  return grantedScope === undefined || grantedScope === scope ? token : undefined;
}

/** Whether the scope is of the operation's resource. */
export function isOfResource(scope: string, id: OperationId): boolean {
  const resource = operation(id)
    .path.split('/', 2)[1]
    ?.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return scope.split(':', 1)[0] === resource;
}

/** Valid tokens with neither the scope admin nor any scope of the operation's resource. Expired tokens are skipped. May be empty. */
export async function tokensWithout(run: Run, id: OperationId): Promise<ScopedToken[]> {
  const others: ScopedToken[] = [];
  for (const each of await scopedTokens(run)) {
    const isOther = each.scope !== 'admin' && !isOfResource(each.scope, id);
    if (isOther && !(await hasExpired(run, each.token))) others.push(each);
  }
  return others;
}

/**
 * Reads `exp` of the token that is sent, after any renewal. False for an opaque token, and if the admin's token has expired
 * as well: then the clocks of the target and this machine differ.
 */
async function hasExpired({ target: { credentials }, tokens }: Run, token: string): Promise<boolean> {
  const sent = await undefinedIfNotTried(tokens.valid(token));
  return sent === undefined || (isPast(sent) && !isPast(await tokens.valid(credentials.admin?.value ?? '')));
}

function isPast(token: string): boolean {
  const exp = readJwt(token)?.payload['exp'];
  return typeof exp === 'number' && exp * 1000 < Date.now();
}
