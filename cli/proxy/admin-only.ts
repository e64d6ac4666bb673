/**
 * Recognizes requests that a conforming target refuses because their caller, one of the target file's, is not an account
 * admin.
 */
import { adminOnlyRule, notAccountAdmins } from '../../spec/body-requirement.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Environment } from '../../suites/target/environment.ts';
import type { RawHeaders } from './end-to-end.ts';
import type { MatchedOperation } from './mounts.ts';
import { credentialsIn } from './credentials-of.ts';
import { valueOf } from './secrets.ts';

/** The rule that such a request is refused by; undefined for every other one. */
export type AdminOnly = (found: MatchedOperation, headers: RawHeaders) => MustId | undefined;

export function adminOnlyOf({ credentials = {}, account }: TargetFile, environment: Environment): AdminOnly {
  const tokens = notAccountAdmins.flatMap((name) => valueOf(credentials[name], environment) ?? []);
  const isNone = (headers: RawHeaders): boolean => {
    const [value, ...others] = credentialsIn(headers);
    return others.length === 0 && tokens.some((token) => value === `Bearer ${token}`);
  };
  return ({ operation, path }, headers) =>
    account !== undefined && isNone(headers) ? adminOnlyRule(operation.id, path, account) : undefined;
}
