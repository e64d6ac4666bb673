/** The form of a target file: what a person writes down of a deployment under test (YAML or JSON). */

export const allowLevels = ['read', 'write', 'destroy'] as const;
/** What a run may do: only read; also create and change; also remove what it did not create. */
export type Allow = (typeof allowLevels)[number];

/** A secret: the name of an environment variable, or the value itself. */
export type SecretSource = { env: string } | { value: string };

/** A credential: a secret, or an OAuth client whose token is fetched when the target is opened. */
export type CredentialSource = SecretSource | { clientCredentials: ClientCredentials };

export interface ClientCredentials {
  tokenUrl: string;
  id: SecretSource;
  secret: SecretSource;
  scope?: string;
}

export const credentialNames = ['admin', 'apiKey', 'member', 'workspaceAdmin', 'unrelated'] as const;
export type CredentialName = (typeof credentialNames)[number];

export interface TargetFile {
  name?: string;
  /** The word in the header names; left out: Svc. */
  brand?: string;
  addresses: {
    /** With the path prefix v0. */
    management: string;
    /** Left out: management without its last path segment. */
    host?: string;
    inference?: string;
    /** Of the sandbox named below `resources`. */
    sandbox?: string;
  };
  /** Where the addresses are a proxy's: the management address of the target behind it, of which a ledger then tells. */
  standsFor?: string;
  workspace?: string;
  /** Left out: read from GET /accounts. */
  account?: string;
  credentials?: { [Name in CredentialName]?: CredentialSource } & {
    /** By scope: a credential that has this scope only. */
    scoped?: Record<string, CredentialSource>;
  };
  client?: OAuthClientFile;
  resources?: KnownResources;
  /** A past window that is known to hold data; start inclusive, end exclusive. */
  metrics?: { window: { start: string; end: string } };
  allow?: Allow;
  /** Requests a second; 0: no limit. */
  rate?: number;
}

export interface OAuthClientFile {
  id: SecretSource;
  secret: SecretSource;
  /** Left out: beside host. */
  tokenUrl?: string;
  authorizationUrl?: string;
  redirectUri?: string;
  scopes?: string[];
}

/** Names of resources that the target is known to have. */
export interface KnownResources {
  /** Generation mk2. */
  agent?: string;
  mk3Agent?: string;
  model?: string;
  function?: string;
  job?: string;
  sandbox?: string;
  volume?: { name: string; region: string };
  connection?: string;
  integration?: string;
  /** The OAuth-based mail integration. */
  mailIntegration?: string;
  /** May be used up, one a run. */
  previewTokens?: { sandbox: string; preview: string; token: string }[];
  /** May be used up, one a run. */
  templateVersions?: { template: string; version: string }[];
}
