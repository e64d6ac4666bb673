/** Choices that the API leaves to a deployment, and the mock's defaults. A profile may change them. */
import { defaultMetricsChoices, type MetricsChoices } from '../metrics/options.ts';

/** Choices that the MCP transport leaves to a server. */
export interface McpChoices {
  readonly sessions: 'given' | 'none';
  readonly responseFormat: 'an event stream' | 'JSON';
  /** Capabilities to list in addition to the server's own. */
  readonly alsoListed: readonly string[];
}

export interface TokenChoices {
  readonly lifetimeSeconds: number;
  readonly alg: 'EdDSA' | 'HS256' | 'HS384' | 'HS512';
  /** Names of the claims. Undefined: those of RFC 9068, plus workspace and account. */
  readonly claims: readonly string[] | undefined;
  /** Whether a code yields a refresh token, and whether using it yields a new one. */
  readonly refresh: 'rotated' | 'kept' | 'none';
}

/** A bound of a number in an agent's spec, which the API does not document. */
export type AgentLimit =
  | 'memoryNegative'
  | 'memoryZero'
  | 'minScaleNegative'
  | 'maxScaleZero'
  | 'minScaleAboveMaxScale'
  | 'canaryPercentNegative'
  | 'canaryPercentAbove100'
  | 'trafficNegative'
  | 'trafficAbove100'
  | 'stickySessionTtlNegative';

export type AgentChoices = { readonly [Limit in AgentLimit]: 'refused' | 'accepted' };

export interface Choices {
  readonly agents: AgentChoices;
  readonly metrics: MetricsChoices;
  readonly mcp: { readonly function: McpChoices; readonly sandbox: McpChoices };
  readonly tokens: TokenChoices;
}

const speaking: McpChoices = { sessions: 'given', responseFormat: 'an event stream', alsoListed: [] };

export const defaultChoices: Choices = {
  agents: {
    memoryNegative: 'refused',
    memoryZero: 'refused',
    minScaleNegative: 'refused',
    maxScaleZero: 'refused',
    minScaleAboveMaxScale: 'refused',
    canaryPercentNegative: 'refused',
    canaryPercentAbove100: 'refused',
    trafficNegative: 'refused',
    trafficAbove100: 'refused',
    stickySessionTtlNegative: 'refused',
  },
  metrics: defaultMetricsChoices,
  // Copies: a profile may change one of the two without the other.
  mcp: { function: { ...speaking }, sandbox: { ...speaking } },
  tokens: { lifetimeSeconds: 3600, alg: 'EdDSA', claims: undefined, refresh: 'rotated' },
};
