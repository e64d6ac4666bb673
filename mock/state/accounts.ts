/** Who is who in a world: accounts, workspaces, callers and their credentials. */
import type { Scope } from '../../spec/operations.ts';
import type { Instant } from '../time/clock.ts';

export type AccountRole = 'account-admin' | 'account-member';
export type WorkspaceRole = 'workspace-admin' | 'workspace-member';

export interface Account {
  readonly id: string;
  readonly displayName: string;
  /** Billing plan tier; every resource of its workspaces shows it as metadata.plan. */
  readonly plan: string;
}

export interface Workspace {
  readonly name: string;
  readonly account: string;
  /** Where resources live that name no region of their own. */
  readonly region: string;
}

export interface Caller {
  readonly id: string;
  readonly kind: 'user' | 'service-account';
  readonly account: string;
  readonly accountRole: AccountRole;
  /** Workspaces the caller may use, the first one being its own; in the rest of the account it is a stranger. */
  readonly workspaces: { readonly name: string; readonly role: WorkspaceRole }[];
}

/** The workspace a caller works in where none is named; undefined where it may use none. */
export function homeOf({ workspaces }: Caller): string | undefined {
  return workspaces[0]?.name;
}

/** What a request proves to be: a caller, and what this key or token lets it do. */
export interface Credential {
  readonly kind: 'jwt' | 'api-key';
  readonly caller: Caller;
  readonly scopes: readonly Scope[];
  /** Where its creates go when no workspace header says otherwise. */
  readonly workspace: string;
  /** Exclusive; absent for keys that do not expire. */
  readonly expiresAt?: Instant;
  /** Ids under which a JWT may be revoked. */
  readonly revocableAs?: readonly string[];
}

/** A credential that the world's file asks for by name; an API key has its token already, a JWT is minted when it is needed. */
export interface NamedCredential {
  readonly name: string;
  readonly kind: 'jwt' | 'api-key';
  readonly caller: string;
  readonly scopes: readonly Scope[];
  readonly workspace: string;
  readonly lifetimeSeconds: number;
  /** A JWT's is there once it is minted. */
  token?: string;
}

/** Whether a caller has any business in a workspace: a role in it, or the administration of its account. */
export function mayUse({ accountRole, account, workspaces }: Caller, workspace: Workspace): boolean {
  const administers = accountRole === 'account-admin' && account === workspace.account;
  return administers || workspaces.some(({ name }) => name === workspace.name);
}
