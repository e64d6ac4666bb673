/**
 * Valid tokens by the scope that each has and no other: those of the target file, and those that the target's client
 * gets.
 */
import type { OperationId } from '../../spec/operations.ts';
import { operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { tokenAnswer } from '../kit/oauth/ask.ts';
import { scopedGrant } from '../kit/oauth/grants.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sharedValue } from '../engine/shared-values.ts';

const tokensOfRun = sharedValue<ScopedToken[]>();

export interface ScopedToken {
  readonly scope: string;
  readonly token: string;
}

/** The unrelated one first, under the name that a target file gives it. */
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

/** Undefined where the client gets none, or one of which the server says that it has other scopes (RFC 6749 5.1). */
async function granted(run: Run, scope: string): Promise<string | undefined> {
  const { access_token: token, scope: grantedScope } = tokenAnswer(await scopedGrant(run, scope));
  return grantedScope === undefined || grantedScope === scope ? token : undefined;
}

/** Tokens with neither admin nor a scope of what the operation is about; an expired one says nothing. */
export async function tokensWithout(run: Run, id: OperationId): Promise<ScopedToken[]> {
  const resource = operation(id)
    .path.split('/', 2)[1]
    ?.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const others: ScopedToken[] = [];
  for (const each of await scopedTokens(run)) {
    const isOther = each.scope !== 'admin' && each.scope.split(':', 1)[0] !== resource;
    if (isOther && !(await hasExpired(run, each.token))) others.push(each);
  }
  run.need(others.length > 0, 'a valid JWT without a scope for what is called');
  return others;
}

/**
 * As what is sent in its place says itself; an opaque one says nothing, nor does any where the admin's has expired
 * too: the target has a clock of its own.
 */
async function hasExpired({ target: { credentials }, tokens }: Run, token: string): Promise<boolean> {
  return isPast(await tokens.valid(token)) && !isPast(await tokens.valid(credentials.admin?.value ?? ''));
}

function isPast(token: string): boolean {
  const exp = readJwt(token)?.payload['exp'];
  return typeof exp === 'number' && exp * 1000 < Date.now();
}
