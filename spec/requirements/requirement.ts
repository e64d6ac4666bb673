/** The form of one row of the catalogue, and what a run may need before a rule can be tried. */
import type { OperationId, Scope } from '../generated/types.ts';
import type { Surface } from '../operations.ts';

/** What each need asks for; a rule whose need is missing is reported as not tried, with these words. */
export const needs = {
  admin: 'a credential with scope admin and the account-admin role',
  member: 'a credential that may read metrics without the account-admin role',
  'workspace-admin': 'a credential with the workspace-admin role, without the account-admin role',
  noscope: 'a valid JWT whose only scope is unrelated to what is called',
  jwt: 'a credential that is an OAuth JWT',
  'api-key': 'a credential that is a long-lived API key',
  client: 'an OAuth client with its secret',
  write: '--allow write, to create and change resources',
  destroy: '--allow destroy, to remove what the run did not create',
  agent: 'an agent of generation mk2',
  'mk3-agent': 'an agent of generation mk3',
  model: 'a model API',
  function: 'a function (MCP server)',
  job: 'a job',
  sandbox: 'a sandbox and its address',
  volume: 'a volume with its region',
  connection: 'an integration connection',
  integration: 'the name of an integration',
  'mail-integration': 'the name of the OAuth-based mail integration',
  'preview-token': 'a sandbox preview token to use up, made by the run or listed where the run may destroy',
  'template-version': 'a volume template version to use up, made by the run or listed where the run may destroy',
} as const;

/** `scope:S` is a credential whose only scope is S. */
export type Need = keyof typeof needs | `scope:${Scope}`;

/** In words, as a report shows it beside "not tried". */
export function meaningOf(need: Need): string {
  if (need in needs) return needs[need as keyof typeof needs];
  return `a credential whose only scope is ${need.slice('scope:'.length)}`;
}

type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

interface Row {
  /** area.topic.what-conforming-looks-like. Never changes its meaning; a retired one is not used again. */
  readonly id: `${string}.${string}.${string}`;
  /**
   * "Rejected" means a 4xx answer and no effect that a later documented read can see, where no status is documented.
   * A part of a rule that writes is tried only where the run may write, also where the row does not need `write`.
   */
  readonly rule: string;
  /** All of them; an empty list still takes an address and one valid credential. */
  readonly needs: readonly Need[];
  /** The documented operations that the rule speaks about; a surface stands for all of its documented ones. */
  readonly operations: readonly (OperationId | Surface)[];
  /** The numbers and words of the rule, for the code that tries it or breaks it. Units stand in the names. */
  readonly values?: Readonly<Record<string, Value>>;
}

/** The interface document says so: a target that breaks it does not conform. */
export interface MustRequirement extends Row {
  readonly level: 'must';
}

/** The interface document is silent or ambiguous: a run records what the target does and never fails on it. */
export interface ObserveRequirement extends Row {
  readonly level: 'observe';
}

export type Requirement = MustRequirement | ObserveRequirement;
