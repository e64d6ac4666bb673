/** Elements of the OpenAPI documents that the interface does not promise, and elements that a run cannot exercise. */

export interface ElementExcuse {
  /** Matches `<operationId> <element>`. */
  readonly elements: RegExp;
  /** One clause, without a full stop. */
  readonly why: string;
}

/** Not counted as documented. */
export const undocumentedElements: readonly ElementExcuse[] = [
  {
    elements: /^\w+ body metadata\.name of 1 character$/,
    why: 'the interface has no lower bound for the length of a name except that it is required',
  },
  { elements: /^getAccountMetrics query limit = 0$/, why: 'the interface does not say whether 0 is accepted' },
  { elements: /^authorize query login_hint$/, why: 'neither the interface nor RFC 6749 has it' },
  { elements: /^requestToken body of application\/json$/, why: 'RFC 6749 requires the form encoding only' },
  {
    elements: /^(createVpc|deleteVolumeTemplateVersion) response 200 .*(metadata\.url|events\[\]\.canaryRevision)$/,
    why: 'only workloads have a URL, and only agents have canary revisions',
  },
  { elements: /^delete(Function|Sandbox)Mcp response 20[04]$/, why: 'a server may choose between 200 and 204' },
];

/** Counted, but missing from every run. */
export const elementExcuses: readonly ElementExcuse[] = [
  {
    elements: /^updateAgent (without )?body metadata\.name( of \d+ characters?)?$/,
    why: 'the name of an agent is immutable, so an update has only the name of an agent that exists',
  },
  {
    elements: /^authorize without query client_id$/,
    why: 'RFC 6749 4.1.2.1 fixes only that an authorization request without a client does not redirect',
  },
  {
    elements: /^postSandboxMcp header Mcp-Name$/,
    why: 'only a tool call of MCP 2026-07-28 has it, and tools of a sandbox are called in the earlier version if it has both',
  },
  { elements: /^updateAgent response 500$/, why: 'no documented request causes a server error' },
  {
    elements: /^(createFunction|createIntegrationConnection) without body (metadata|spec)$/,
    why: 'the interface requires both of an agent, a VPC "and similar resources", and does not list these',
  },
];
