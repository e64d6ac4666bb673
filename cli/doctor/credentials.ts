/** Checks that the target accepts every credential of the file, refuses the expired one, and that roles are as named. */
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { isMissingStatus } from '../../spec/missing-operation.ts';
import { CORRECT_ADDRESS, listsAccount, placeOf } from '../../suites/target/account.ts';
import { accountRoles } from '../../suites/target/choose-account.ts';
import { credentialCheckOf } from '../../suites/target/refused-credentials.ts';
import { describePastEnd } from '../../suites/target/token-end.ts';
import type { Caller } from '../../suites/target/request-types.ts';
import type { Secret, Target } from '../../suites/target/target.ts';
import { failed, passed, skipped, warning } from './check.ts';
import type { Check } from './check.ts';
import { explainNetworkError } from '../command-line/network-error.ts';
import { describeResponse, hasResponse } from './prober.ts';
import type { ProbeResponse, ProbeResult, Prober } from './prober.ts';

const callerWith = ({ value }: Secret): Caller => ({ bearer: value });

/** One check per credential. */
export async function checkCredentials(target: Target, prober: Prober): Promise<Check[]> {
  const { scoped, ...named } = target.credentials;
  const all = credentialNames.flatMap((name) => {
    const secret = named[name];
    return secret === undefined ? [] : [{ subject: `credentials.${name}`, secret, judge: judges[name] }];
  });
  const byScope = Object.entries(scoped).map(([scope, secret]) => ({
    subject: `credentials.scoped.${scope}`,
    secret,
    judge: judgeLimited,
  }));
  const checks: Check[] = [];
  // One after the other: a target may count failed attempts.
  for (const { subject, secret, judge } of [...all, ...byScope]) {
    const result = await probe(target, prober, callerWith(secret));
    checks.push(hasResponse(result) ? judge(subject, result, secret) : noResponse(subject, result));
  }
  return checks.length === 0 ? [skipped('credentials', 'the file has none: few rules can be tried')] : checks;
}

/** A target without metrics shows with its list of accounts whether it accepts a credential, if that has the account. */
async function probe(target: Target, prober: Prober, caller: Caller): Promise<ProbeResult> {
  const result = await prober.call(credentialCheckOf(target), caller);
  const { account } = target;
  if (!hasResponse(result) || !isMissingStatus(result.status) || account === undefined) return result;
  const list = await prober.call('listAccounts', caller);
  const isListed = hasResponse(list) && list.status === 200 && listsAccount(list, account);
  return isListed ? list : result;
}

type Judge = (subject: string, response: ProbeResponse, secret: Secret) => Check;

const replace = (subject: string, secret: Secret): string =>
  `Replace the value of ${placeOf(secret, subject)}: it ${describePastEnd(secret.value) ?? 'is invalid, or has expired'}.`;

function adviceOnMissing({ request, status }: ProbeResponse): string {
  if (request === 'GET /accounts') return CORRECT_ADDRESS;
  const answer = `Answer ${request}: it is not implemented`;
  return status === 404 ? `${answer}, or correct account in the target file.` : `${answer}.`;
}

const judgeFull: Judge = (subject, response, secret) => {
  const { status } = response;
  if (status >= 200 && status < 300) return passed(subject, `accepted (${describeResponse(response)})`);
  if (status === 401) return failed(subject, `refused: ${describeResponse(response)}`, replace(subject, secret));
  if (status === 403)
    return failed(
      subject,
      `lacks permissions: ${describeResponse(response)}`,
      'Use a credential of a member of the account.',
    );
  if (isMissingStatus(status)) return failed(subject, describeResponse(response), adviceOnMissing(response));
  return failed(subject, describeResponse(response), 'The target should return 200 here. Check the deployment.');
};

/** May lack the permission, but must be valid. */
const judgeLimited: Judge = (subject, response, secret) => {
  if (response.status === 401)
    return failed(subject, `refused: ${describeResponse(response)}`, replace(subject, secret));
  return response.status >= 500
    ? failed(subject, describeResponse(response), 'The target should return 200 or 403 here. Check the deployment.')
    : passed(subject, `valid (${describeResponse(response)})`);
};

const judgeExpired: Judge = (subject, response) =>
  response.status === 401 || response.status === 403
    ? passed(subject, `refused, as expected (${describeResponse(response)})`)
    : failed(subject, `not refused: ${describeResponse(response)}`, 'Use a token whose lifetime is over, or omit it.');

const judges: Readonly<Record<CredentialName, Judge>> = {
  admin: judgeFull,
  apiKey: judgeFull,
  member: judgeFull,
  workspaceAdmin: judgeFull,
  unrelated: judgeLimited,
  expired: judgeExpired,
};

function noResponse(subject: string, { error, request }: Exclude<ProbeResult, ProbeResponse>): Check {
  const { what, advice } = explainNetworkError(error);
  return failed(subject, `${request}: ${what}`, advice);
}

/**
 * Only account admins may group metrics by workspace (rule metrics.roles.group-by-workspace-admin-only). Credentials that are not
 * accepted at all have no role. `accepted`: the subjects of the others.
 */
export async function checkRoles(target: Target, prober: Prober, accepted: readonly string[]): Promise<Check[]> {
  const checks: Check[] = [];
  if (target.account === undefined) return checks;
  for (const { name, isAccountAdmin } of accountRoles) {
    const secret = target.credentials[name];
    if (secret === undefined || !accepted.includes(`credentials.${name}`)) continue;
    const result = await byWorkspace(target, prober, secret);
    checks.push(judgeRole(`role of ${name}`, result, isAccountAdmin, secret.name));
  }
  if (accepted.includes('credentials.apiKey') && (await isKeyOfAdmin(target, prober)))
    checks.push(
      warning(
        'role of apiKey',
        'an account admin, and there is no credentials.admin',
        'Name it as credentials.admin, too: then the rules about account admins are tried.',
      ),
    );
  return checks;
}

/** Only account admins may group metrics by workspace. */
function byWorkspace({ account = '', metrics }: Target, prober: Prober, secret: Secret): Promise<ProbeResult> {
  const query = { startTime: metrics.window.start, endTime: metrics.window.end, groupBy: 'workspace' };
  return prober.call('getAccountMetrics', callerWith(secret), { path: { accountId: account }, query });
}

/** Whether the API key is that of an account admin, and there is no other. */
export async function isKeyOfAdmin(target: Target, prober: Prober): Promise<boolean> {
  const { admin, apiKey } = target.credentials;
  if (admin !== undefined || apiKey === undefined || target.account === undefined) return false;
  const result = await byWorkspace(target, prober, apiKey);
  return hasResponse(result) && result.status === 200;
}

function judgeRole(subject: string, result: ProbeResult, isAccountAdmin: boolean, variable: string): Check {
  if (!hasResponse(result)) return noResponse(subject, result);
  const role = isAccountAdmin ? 'an account admin' : 'not an account admin';
  const expected = isAccountAdmin ? 200 : 403;
  const found = `grouping metrics by workspace returned ${result.status}`;
  if (result.status === expected) return passed(subject, `${role} (${found})`);
  if (result.status === 200 || result.status === 403)
    return failed(subject, `expected ${role}, but ${found}`, `Set ${variable} to a token of a caller who is ${role}.`);
  if (isMissingStatus(result.status)) return skipped(subject, `not checked, because ${found}`);
  return failed(subject, found, `Expected ${expected}. Check metrics.window in the target file, and the deployment.`);
}
