/** Accounts, workspaces, callers and credentials of a world. */
import type { Scope } from '../../spec/operations.ts';
import type { Instant } from '../time/clock.ts';

export type AccountRole = 'account-admin' | 'account-member';
export type WorkspaceRole = 'workspace-admin' | 'workspace-member';

export interface Account {
  readonly id: string;
  readonly displayName: string;
  /** Billing plan; appears as metadata.plan of every resource in its workspaces. */
  readonly plan: string;
}

export interface Workspace {
  readonly name: string;
  readonly account: string;
  /** Default region of its resources. */
  readonly region: string;
}

export interface Caller {
  readonly id: string;
  readonly kind: 'user' | 'service-account';
  readonly account: string;
  readonly accountRole: AccountRole;
  /** Workspaces in which the caller has a role; the first is its default. */
  readonly workspaces: { readonly name: string; readonly role: WorkspaceRole }[];
}

/** The caller's default workspace; undefined if it has none. */
export function homeOf({ workspaces }: Caller): string | undefined {
  return workspaces[0]?.name;
}

/** An API key or a token: its caller and what it allows. */
export interface Credential {
  readonly kind: 'jwt' | 'api-key';
  readonly caller: Caller;
  readonly scopes: readonly Scope[];
  /** The workspace of requests without a workspace header. */
  readonly workspace: string;
  /** Exclusive. Absent if it does not expire. */
  readonly expiresAt?: Instant;
  /** Ids by which a JWT can be revoked: its own and its grant's. */
  readonly revocableAs?: readonly string[];
}

/** A named credential of the world file. An API key has a token from the start; a JWT is minted when needed. */
export interface NamedCredential {
  readonly name: string;
  readonly kind: 'jwt' | 'api-key';
  readonly caller: string;
  readonly scopes: readonly Scope[];
  readonly workspace: string;
  readonly lifetimeSeconds: number;
  /** Absent until a JWT is minted. */
  token?: string;
}

/** Whether a caller may manage the roles in a workspace: as an admin of it or of its account. */
export function administers({ accountRole, account, workspaces }: Caller, workspace: Workspace): boolean {
  if (accountRole === 'account-admin' && account === workspace.account) return true;
  return workspaces.some(({ name, role }) => name === workspace.name && role === 'workspace-admin');
}

/** Whether a caller may use a workspace: as an admin of its account, or with a role in it. */
export function mayUse({ accountRole, account, workspaces }: Caller, workspace: Workspace): boolean {
  const isAccountAdmin = accountRole === 'account-admin' && account === workspace.account;
  return isAccountAdmin || workspaces.some(({ name }) => name === workspace.name);
}
