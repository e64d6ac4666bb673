/** What the document leaves to a deployment and the mock settles deep inside: each choice by name, with what the mock does by itself. */
import { defaultMetricsChoices, type MetricsChoices } from '../metrics/options.ts';

/** How an MCP server speaks where the transport leaves it to the server. */
export interface McpChoices {
  readonly sessions: 'given' | 'none';
  readonly answers: 'an event stream' | 'JSON';
  /** Capabilities that are listed beside those that the server has. */
  readonly alsoListed: readonly string[];
}

export interface TokenChoices {
  readonly lifetimeSeconds: number;
  readonly alg: 'EdDSA' | 'HS256' | 'HS384' | 'HS512';
  /** Names of the claims; undefined: those of RFC 9068 and what the service knows a caller by. */
  readonly claims: readonly string[] | undefined;
  /** Whether a refresh token comes with a code, and whether its use brings another one. */
  readonly refresh: 'rotated' | 'kept' | 'none';
}

export interface Choices {
  readonly metrics: MetricsChoices;
  readonly mcp: { readonly function: McpChoices; readonly sandbox: McpChoices };
  readonly tokens: TokenChoices;
}

const speaking: McpChoices = { sessions: 'given', answers: 'an event stream', alsoListed: [] };

export const defaultChoices: Choices = {
  metrics: defaultMetricsChoices,
  // Each its own: a profile's choices for one of the two are no choices for the other.
  mcp: { function: { ...speaking }, sandbox: { ...speaking } },
  tokens: { lifetimeSeconds: 3600, alg: 'EdDSA', claims: undefined, refresh: 'rotated' },
};
