/** Finds the rule that documents the body of a response. Findings in any other body violate nothing. */
import { operation } from './operations.ts';
import type { OperationId } from './operations.ts';
import { requirement } from './requirements/index.ts';
import type { MustId } from './requirements/index.ts';
import type { CredentialName } from './formats/target-values.ts';

/** Schemas of the management document for errors that depend on the body or the caller, not on operation and status. */
export const errorForms = ['VersionError', 'AccessDenied'] as const;
export type ErrorForm = (typeof errorForms)[number];

export interface BodyRequirement {
  readonly requirement: MustId;
  /** The schema that the body must match. Absent: the one that the documents have for the status. */
  readonly form?: ErrorForm;
}

export interface ReceivedResponse {
  readonly status: number;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
  /** The rule that reserves this request for account admins, if the caller is known not to be one. */
  readonly adminOnly?: MustId | undefined;
}

/** The statuses of agent update with a documented error body. */
const DOCUMENTED_UPDATE_ERRORS = [400, 401, 403, 404, 500];
const TOO_MANY_REQUESTS = 429;
/** Statuses without a body (RFC 9110 15.3.5 and 15.3.6). Other rules check whether they are allowed. */
const BODILESS_STATUSES = [204, 205];

/**
 * Returns undefined for inferred operations and for errors without a documented body. Sandbox errors have a documented body
 * but no documented statuses: a 5xx or 429 may come from a proxy in front of the sandbox.
 */
export function bodyRequirement(
  id: OperationId,
  { status, body, adminOnly }: ReceivedResponse,
): BodyRequirement | undefined {
  const { documented, versioned } = operation(id);
  if (!documented || BODILESS_STATUSES.includes(status)) return undefined;
  if (status >= 200 && status <= 299) return { requirement: 'resources.shapes.fit-the-schema' };
  if (versioned && status === 400 && isVersionError(body))
    return { requirement: 'errors.version.body-shape', form: 'VersionError' };
  if (id === 'updateAgent' && DOCUMENTED_UPDATE_ERRORS.includes(status))
    return { requirement: 'errors.management.body-shape' };
  if (adminOnly !== undefined && status === 403) return { requirement: adminOnly, form: 'AccessDenied' };
  const isSandboxError = status >= 400 && status <= 499 && status !== TOO_MANY_REQUESTS;
  return isSandboxError && sandboxOperations.includes(id) ? { requirement: 'errors.sandbox.body-shape' } : undefined;
}

const sandboxOperations: readonly OperationId[] = requirement('errors.sandbox.body-shape').operations;

const isVersionError = (body: unknown): boolean =>
  (body as { error?: unknown } | null | undefined)?.error === 'invalid_api_version';

/** Returns the rule that reserves this request for account admins, or undefined. `path` includes the query. */
export function adminOnlyRule(id: OperationId, path: string, account: string): MustId | undefined {
  const [below = '', query = ''] = path.split('?');
  if (id !== 'getAccountMetrics' || !below.endsWith(`/accounts/${encodeURIComponent(account)}/metrics`))
    return undefined;
  const parameters = new URLSearchParams(query);
  if ((parameters.get('workspace') ?? '') !== '') return 'metrics.roles.workspace-filter-admin-only';
  const dimensions = (parameters.get('groupBy') ?? '').split(',');
  return dimensions.includes('workspace') ? 'metrics.roles.group-by-workspace-admin-only' : undefined;
}

/** Credentials of a target whose callers may read metrics but are not account admins. */
export const notAccountAdmins = ['member', 'workspaceAdmin'] as const satisfies readonly CredentialName[];
