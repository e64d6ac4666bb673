/** Which rule promises the body of an answer: what readers find wrong in any other breaks no promise of the interface. */
import { operation } from './operations.ts';
import type { OperationId } from './operations.ts';
import { requirement } from './requirements/index.ts';
import type { MustId } from './requirements/index.ts';
import type { CredentialName } from './formats/target-values.ts';

/** Errors that are known by what they say, or by who asked, and not by operation and status: schemas of the management document. */
export const errorForms = ['VersionError', 'AccessDenied'] as const;
export type ErrorForm = (typeof errorForms)[number];

export interface PromisedBody {
  readonly requirement: MustId;
  /** What the body is held to; absent: to what the documents have for the status. */
  readonly form?: ErrorForm;
}

export interface Answered {
  readonly status: number;
  /** undefined where it is no JSON. */
  readonly body: unknown;
  /** Of a caller who is known not to be admin of the account: the rule by which only an admin may ask that. */
  readonly adminOnly?: MustId | undefined;
}

/** The statuses whose body the interface document's table of errors shows for the update of an agent. */
const UPDATE_FAILURES = [400, 401, 403, 404, 500];
const TOO_MANY_REQUESTS = 429;
/** Answers that have no body (RFC 9110 15.3.5 and 15.3.6); whether they may be given is for other rules to say. */
const WITHOUT_BODY = [204, 205];

/**
 * undefined where none does: an operation that the interface does not show, an error whose body it does not show. Of a
 * sandbox it shows the body of errors but not their statuses: a 5xx or 429 may come from what stands before it.
 */
export function promisedBody(id: OperationId, { status, body, adminOnly }: Answered): PromisedBody | undefined {
  const { documented, versioned } = operation(id);
  if (!documented || WITHOUT_BODY.includes(status)) return undefined;
  if (status >= 200 && status <= 299) return { requirement: 'resources.shapes.fit-the-schema' };
  if (versioned && status === 400 && isVersionError(body))
    return { requirement: 'errors.version.body-shape', form: 'VersionError' };
  if (id === 'updateAgent' && UPDATE_FAILURES.includes(status)) return { requirement: 'errors.management.body-shape' };
  if (adminOnly !== undefined && status === 403) return { requirement: adminOnly, form: 'AccessDenied' };
  const isSandboxRefusal = status >= 400 && status <= 499 && status !== TOO_MANY_REQUESTS;
  return isSandboxRefusal && ofSandbox.includes(id) ? { requirement: 'errors.sandbox.body-shape' } : undefined;
}

const ofSandbox: readonly OperationId[] = requirement('errors.sandbox.body-shape').operations;

const isVersionError = (body: unknown): boolean =>
  (body as { error?: unknown } | null | undefined)?.error === 'invalid_api_version';

/** The rule by which only the account's admin may ask that; `path` ends with the query. undefined where there is none. */
export function adminOnlyRule(id: OperationId, path: string, account: string): MustId | undefined {
  const [below = '', query = ''] = path.split('?');
  if (id !== 'getAccountMetrics' || !below.endsWith(`/accounts/${encodeURIComponent(account)}/metrics`))
    return undefined;
  const parameters = new URLSearchParams(query);
  if ((parameters.get('workspace') ?? '') !== '') return 'metrics.roles.workspace-filter-admin-only';
  const dimensions = (parameters.get('groupBy') ?? '').split(',');
  return dimensions.includes('workspace') ? 'metrics.roles.group-by-workspace-admin-only' : undefined;
}

/** Credentials of a target whose callers may read metrics, and are no admins of the account. */
export const notAccountAdmins = ['member', 'workspaceAdmin'] as const satisfies readonly CredentialName[];
