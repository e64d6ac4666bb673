/** The type of a catalogue row, and the needs that a run must meet before it can try a rule. */
import type { OperationId, Scope } from '../generated/types.ts';
import type { Surface } from '../openapi-document.ts';
import type { AssayVersion } from '../assay-versions.ts';
import type { Source } from './source.ts';

/** A rule whose need is not met is reported as not tried, with this description of the need. */
export const needs = {
  admin: 'a credential with scope admin and the account-admin role',
  member: 'a credential that may read metrics but lacks the account-admin role',
  'workspace-admin': 'a credential with the workspace-admin role but without the account-admin role',
  noscope: 'a valid JWT whose only scope is unrelated to the called operations',
  jwt: 'a credential that is an OAuth JWT',
  'api-key': 'a credential that is a long-lived API key',
  client: 'an OAuth client with its secret',
  write: '--allow write (to create and change resources)',
  destroy: '--allow destroy (to remove resources that the run did not create)',
  agent: 'an agent of generation mk2',
  'mk3-agent': 'an agent of generation mk3',
  model: 'a model API',
  function: 'a function (MCP server)',
  job: 'a job',
  sandbox: 'a sandbox and its address',
  volume: 'a volume and its region',
  connection: 'an integration connection',
  integration: 'the name of an integration',
  'mail-integration': 'the name of the OAuth-based mail integration',
  'preview-token':
    'a sandbox preview token that may be deleted: created by the run, or listed in the target file and --allow destroy',
  'template-version':
    'a volume template version that may be deleted: created by the run, or listed in the target file and --allow destroy',
} as const;

/** `scope:S` means a credential whose only scope is S. */
export type Need = keyof typeof needs | `scope:${Scope}`;

/** Describes a need as reports print it next to "not tried". */
export function describeNeed(need: Need): string {
  if (need in needs) return needs[need as keyof typeof needs];
  return `a credential whose only scope is ${need.slice('scope:'.length)}`;
}

type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

interface Row {
  /** area.topic.what-conforming-looks-like. The meaning of an id never changes, and a retired id is never reused. */
  readonly id: `${string}.${string}.${string}`;
  /** The version of assay in which it appeared, or became stricter. */
  readonly since: AssayVersion;
  /**
   * "Rejected" means a 4xx response and, as far as documented operations can tell, no effect; the status is not documented.
   * Requests that write are sent only if the run may write, even if the row does not need `write`.
   */
  readonly rule: string;
  /** What it follows from; at least one. */
  readonly sources: readonly [Source, ...Source[]];
  /** All must be met. Every rule also needs an address and a valid credential. */
  readonly needs: readonly Need[];
  /** The documented operations that the rule is about; a surface means all its documented operations. */
  readonly operations: readonly (OperationId | Surface)[];
  /** Constants of the rule, read by the case that tests it and the deviation that violates it. Names include the unit. */
  readonly values?: Readonly<Record<string, Value>>;
}

/** Required by the interface document: a target that violates it does not conform. */
export interface MustRequirement extends Row {
  readonly level: 'must';
}

/** Not specified by the interface document: a run records what the target does, and never fails. */
export interface ObserveRequirement extends Row {
  readonly level: 'observe';
}

export type Requirement = MustRequirement | ObserveRequirement;

/** Whether its case may change the target. */
export function mayChangeTarget({ needs: required }: Requirement): boolean {
  return required.includes('write') || required.includes('destroy');
}
