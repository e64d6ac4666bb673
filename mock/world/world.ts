/** A world: the whole state of a mock, reached from one object and owned by nobody else. */
import type { headerNames } from '../../spec/brand.ts';
import type { IntegrationFile, ReplyFile, TargetNames } from '../../fixtures/worlds/world-file.ts';
import {
  mayUse,
  type Account,
  type Caller,
  type Credential,
  type NamedCredential,
  type Workspace,
} from '../state/accounts.ts';
import type { Clock } from '../time/clock.ts';
import type { Lifetimes } from '../state/lifetimes.ts';
import type { Random } from '../time/random.ts';
import type { Resources } from '../state/resources.ts';
import type { Sandboxes } from '../domains/sandbox/sandboxes.ts';
import type { Client, OAuthState } from '../domains/oauth/authorization-server.ts';
import type { IdentityProvider } from '../domains/oauth/identity-provider.ts';
import type { SigningKey } from '../domains/oauth/signing-key.ts';
import type { Inference } from '../domains/inference/inference.ts';
import type { Schedule } from '../domains/inference/schedule.ts';
import type { McpServers } from '../domains/mcp/servers.ts';
import type { Choices } from '../state/choices.ts';
import type { Timers } from '../time/timers.ts';

export interface Addresses {
  /** With the path prefix v0, without a final slash, as all of them. */
  readonly management: string;
  readonly host: string;
  readonly inference: string;
}

/** Whether a sandbox is addressed by a host name of its own or by a path of the mock's. */
export type SandboxUrls = 'host' | 'path';

export interface World {
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  /** The word in the header names. */
  readonly brand: string;
  readonly headers: ReturnType<typeof headerNames>;
  readonly addresses: Addresses;
  readonly sandboxUrls: SandboxUrls;
  /** Operations that the interface does not show are then unknown paths. */
  readonly onlyDocumented: boolean;
  /** What the document leaves open, and this world settles so. */
  readonly choices: Choices;
  readonly accounts: Map<string, Account>;
  readonly workspaces: Map<string, Workspace>;
  readonly callers: Map<string, Caller>;
  /** By the key or token itself; JWTs enter it when they are minted or first verified. */
  readonly credentials: Map<string, Credential>;
  readonly signingKey: SigningKey;
  /** Of the service's own authorization server, by id. */
  readonly clients: ReadonlyMap<string, Client>;
  readonly oauth: OAuthState;
  /** The third party that connections of integrations are made with. */
  readonly identityProvider: IdentityProvider;
  readonly resources: Resources;
  /** What was and is metered, the deleted too. */
  readonly lifetimes: Lifetimes;
  /** By name. */
  readonly integrations: Map<string, IntegrationFile>;
  /** What the world's file gives out to whoever tests against it. */
  readonly namedCredentials: readonly NamedCredential[];
  /** What a target file for this world names. */
  readonly target: TargetNames;
  readonly sandboxes: Sandboxes;
  /** What agents and models answer. */
  readonly replies: readonly ReplyFile[];
  /** Beside loopback, where callbacks may be posted. */
  readonly callbackOrigins: readonly string[];
  /** What calls of workloads leave behind; plain data. */
  readonly inference: Inference;
  /** Beside those of the same machine, whose pages may call MCP endpoints; * is any. */
  readonly mcpOrigins: readonly string[];
  readonly mcp: McpServers;
  readonly timers: Timers;
  /** Does what is due on the virtual clock. */
  readonly schedule: Schedule;
}

/** Whether there is such a workspace, and the caller has any business in it. */
export function mayUseNamed({ workspaces }: World, caller: Caller, name: string): boolean {
  const workspace = workspaces.get(name);
  return workspace !== undefined && mayUse(caller, workspace);
}
