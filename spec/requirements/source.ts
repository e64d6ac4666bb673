/** Where a rule comes from: words of the interface document or of a standard that it relies on. */

/** Why nothing under these headings became a rule. */
export const headingsWithoutRules = {
  'Resources and their fields': 'It only introduces the sections below it.',
  Repository: 'Its fields have types and no further rules: agents.update.round-trip and wrong-type-400 cover them.',
  Env: 'Its fields have types and no further rules: agents.update.round-trip and wrong-type-400 cover them.',
  VPC: 'The fields of the spec are not documented; the envelope is covered under “Common envelope” and “Management API”.',
  'Billing metrics endpoints': 'It only introduces the operations below it.',
  'User-facing the service flow for integration connections':
    'It describes the identity provider of a third party, not the service.',
} as const;

/** The other headings of the interface document, in its order. Each is the source of at least one rule. */
export const headings = [
  'What the service does',
  'Common envelope',
  'Metadata',
  'Agent',
  'AgentSpec',
  'RevisionConfiguration',
  'AgentRuntime',
  'Trigger',
  'TriggerConfiguration',
  'VolumeAttachment',
  'Event record (CoreEvent, read-only)',
  'Integration provider info',
  'Integration connection',
  'Function (MCP server) as used with a connection',
  'Volume template',
  'Sandbox preview token',
  'Directory listing (sandbox filesystem)',
  'Multipart upload record',
  'Image cleanup result',
  'Billing metrics response (AccountMetricsResponse)',
  'States and transitions',
  'Endpoints',
  'Management API',
  'GET `/accounts/{accountId}/metrics`',
  'GET `/accounts/{accountId}/metrics/enums/group-by`',
  'GET `/accounts/{accountId}/metrics/enums/resource-types`',
  'Inference endpoints (`{run_url}`)',
  'Sandbox REST API (`{sandbox_url}`)',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
] as const;

/** Of a rule with several sources: which of its failures break these words. */
interface Scope {
  /** Parts of what a failure says, such as `scope: `. Absent: failures in which no other source has a part. */
  readonly about?: readonly string[];
}

/** Words of the interface document, verbatim. For an observe rule: the words that leave its subject open. */
interface InterfaceSource extends Scope {
  readonly heading: (typeof headings)[number];
  readonly words: string;
}

/** Words of a standard, verbatim: `{ standard: 'RFC 6749', section: '5.2', … }`. */
interface StandardSource extends Scope {
  readonly standard: string;
  readonly section: string;
  readonly words: string;
}

export type Source = InterfaceSource | StandardSource;

/** For example `RFC 6749, section 5.2: “Client authentication failed”`. */
export const describeSource = (source: Source): string =>
  'heading' in source
    ? `${source.heading.replaceAll('`', '')}: “${source.words.replaceAll('`', '')}”`
    : `${source.standard}, section ${source.section}: “${source.words}”`;
