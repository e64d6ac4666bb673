/** The state of a world: its data, clock, random generator and events. Nothing outside a world is part of it. */
import type { headerNames } from '../../spec/brand.ts';
import type { WorldLimits } from '../../spec/formats/mock-limits.ts';
import type { IntegrationFile, ReplyFile, TargetNames } from '../../spec/formats/world-file.ts';
import type { Clock } from '../time/clock.ts';
import type { Random } from '../time/random.ts';
import type { Timers } from '../time/timers.ts';
import {
  mayUse,
  type Account,
  type Caller,
  type Credential,
  type NamedCredential,
  type Workspace,
} from './accounts.ts';
import type { Addresses, Mount, SandboxUrls } from './addresses.ts';
import type { Choices } from './choices.ts';
import type { WorldEvents } from './events.ts';
import type { Inference } from './inference.ts';
import type { Lifecycles } from './lifecycles.ts';
import type { Lifetimes } from './lifetimes.ts';
import type { Client, OAuthState, TokenIssuer } from './oauth.ts';
import type { Resources } from './resources.ts';
import type { SigningKey } from './signing-key.ts';

/** The third party that integration connections are made with. */
export interface IdentityProvider {
  readonly users: readonly string[];
  readonly clients: ReadonlyMap<string, Client>;
  readonly state: OAuthState;
}

export interface WorldState {
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly events: WorldEvents;
  /** The brand in header names such as `Svc-Version`. */
  readonly brand: string;
  readonly headers: ReturnType<typeof headerNames>;
  readonly addresses: Addresses;
  readonly mount: Mount;
  readonly sandboxUrls: SandboxUrls;
  /** Whether undocumented operations are unknown paths. */
  readonly onlyDocumented: boolean;
  /** How this world settles what the document leaves open. */
  readonly choices: Choices;
  /** What it may store at most. */
  readonly limits: WorldLimits;
  /** Origins of web pages that may call `/_mock`, in addition to loopback. */
  readonly trustedOrigins: readonly string[];
  /** By id. */
  readonly accounts: Map<string, Account>;
  /** By name. */
  readonly workspaces: Map<string, Workspace>;
  /** Ids of callers that are invited to a workspace, by its name. */
  readonly invitations: Map<string, readonly string[]>;
  /** By id. */
  readonly callers: Map<string, Caller>;
  /** By the key or token itself; JWTs are added when minted or first verified. */
  readonly credentials: Map<string, Credential>;
  readonly signingKey: SigningKey;
  /** Of all tokens signed so far, oldest first; several only if a snapshot was restored. */
  readonly tokenIssuers: TokenIssuer[];
  /** Clients of the service's own authorization server, by id. */
  readonly clients: Map<string, Client>;
  /** Whether anyone can register a client. */
  readonly openRegistration: boolean;
  readonly oauth: OAuthState;
  readonly identityProvider: IdentityProvider;
  readonly resources: Resources;
  /** Everything that is or was metered, including deleted resources. */
  readonly lifetimes: Lifetimes;
  /** Secrets of integration connections, by the key of the collection and the name of the connection. */
  readonly connectionSecrets: Map<string, Readonly<Record<string, string>>>;
  /** Whether the provider verifies the secrets of a connection when it is created, not only when a function uses them. */
  readonly verifyOnCreate: boolean;
  /** By name. */
  readonly integrations: Map<string, IntegrationFile>;
  /** Credentials that the world file hands out. */
  readonly namedCredentials: readonly NamedCredential[];
  /** Names for the target file of this world. */
  readonly target: TargetNames;
  /** Scripted replies of agents and models. */
  readonly replies: readonly ReplyFile[];
  /** Origins that callbacks may be posted to, in addition to loopback. */
  readonly callbackOrigins: readonly string[];
  readonly inference: Inference;
  /** How its deployments, tasks, instances and sandboxes behave over time. */
  readonly lifecycles: Lifecycles;
  /** Origins of web pages that may call MCP endpoints, in addition to loopback; `*` allows any. */
  readonly mcpOrigins: readonly string[];
}

/** Whether the workspace exists and the caller may use it. */
export function mayUseNamed({ workspaces }: WorldState, caller: Caller, name: string): boolean {
  const workspace = workspaces.get(name);
  return workspace !== undefined && mayUse(caller, workspace);
}
