/** What a user adds or changes so that rules can be tried. Each text is an imperative without a full stop. */
import { routeOfMissing } from '../missing-operation.ts';
import type { needs } from './requirement.ts';

/** Why a rule cannot have an agent of its own: too many are left. */
export const REMOVABLE_AGENT_NEEDED = 'an agent that the run may create: it cannot remove earlier ones';

/** Why callers of the data plane are not tried if there is nothing that they could call. */
export const DATA_PLANE_RESOURCE_NEEDED = 'a resource of the data plane';

export const MORE_USAGE =
  'let more resources have usage, or set metrics.window in the target file to days on which they had it';

/** What the target may come to do without a change of its file. */
const adviceOnTarget = {
  account: 'add account to the target file, or let GET /accounts list it for a credential of the file',
  'a management operation that responds with 2xx':
    'answer GET /accounts, or add a valid credential to the target file: credentials.admin or credentials.apiKey',
  'a grouping with more than one group': MORE_USAGE,
  'a grouping with several groups': `return several groups on a page, or ${MORE_USAGE}`,
  'a grouping with more than one page': `apply the limit of a query, or ${MORE_USAGE}`,
  'a grouping that divides groups of another': MORE_USAGE,
  'a group with more than one bucket': MORE_USAGE,
  'a group with cost and its name, beside others': MORE_USAGE,
  'a timeseries of several buckets': MORE_USAGE,
  'a billing dimension with usage': MORE_USAGE,
  'a single page with totalUsage and the usage of more than one group': `return totalUsage, and several groups on a page, or ${MORE_USAGE}`,
  [REMOVABLE_AGENT_NEEDED]:
    'answer POST /agents and DELETE /agents/{agentName}, so that the run can create an agent and remove it',
} as const;

/** What a result lacks that is no need of the catalogue. */
const adviceOnRun = {
  time: 'allow more time: a longer --time, or none',
  bail: 'repair what failed, or run without --bail',
  inputs: 'run without --quick',
  requests: 'run assay test: it sends the requests that these rules need',
  traffic: 'judge traffic that uses more of the interface: the reason of each rule names the operations',
  recording: 'record whole exchanges: bodies, headers and credentials',
  'restorable-agent': 'name an agent without secrets and callbacks in resources of the target file',
  expired: 'add credentials.expired to the target file: a token that was valid once',
  lifetime: 'use credentials that last for the whole run, or that it can renew: clientCredentials in the target file',
  credentials: 'add a valid credential to the target file: credentials.admin or credentials.apiKey',
  'a redirection URI of the client': 'add client.redirectUri to the target file: a redirection URI of the OAuth client',
  [DATA_PLANE_RESOURCE_NEEDED]:
    'add an agent, model, function or job to resources of the target file, or addresses.sandbox',
  'the address of the inference surface': 'add addresses.inference to the target file',
  'the address of the sandbox surface': 'add addresses.sandbox to the target file',
  'the workspace of the target': 'add workspace to the target file',
} as const;

const adviceOnNeeds: Readonly<Record<keyof typeof needs, string>> = {
  admin: 'add credentials.admin to the target file: a token with scope admin and the account-admin role',
  member: 'add credentials.member to the target file: a token that may read metrics, without the account-admin role',
  'workspace-admin':
    'add credentials.workspaceAdmin to the target file: a token with the workspace-admin role, without the account-admin role',
  noscope:
    'add credentials.unrelated to the target file: a valid JWT whose only scope is unrelated, such as mcphub:list',
  jwt: 'use a JWT as one of the credentials in the target file, such as credentials.admin',
  'api-key': 'add credentials.apiKey to the target file: a long-lived API key',
  client: 'add client to the target file: the id and secret of an OAuth client',
  write: 'pass --allow write, so that the run may create and change resources',
  destroy: 'pass --allow destroy, so that the run may also remove what it did not create',
  agent: 'add resources.agent to the target file (an agent of generation mk2), or pass --allow write',
  'mk3-agent': 'add resources.mk3Agent to the target file (an agent of generation mk3), or pass --allow write',
  model: 'add resources.model to the target file: the name of a model API',
  function: 'add resources.function to the target file: the name of a function (MCP server)',
  job: 'add resources.job to the target file: the name of a job',
  sandbox: 'add resources.sandbox and addresses.sandbox to the target file: the name of a sandbox and its address',
  volume: 'add resources.volume to the target file: the name and region of a volume',
  connection: 'add resources.connection to the target file: the name of an integration connection',
  integration: 'add resources.integration to the target file: the name of an integration',
  'mail-integration': 'add resources.mailIntegration to the target file: the name of the OAuth-based mail integration',
  'preview-token':
    'add resources.sandbox or resources.previewTokens to the target file, and pass --allow write (destroy for listed tokens)',
  'template-version':
    'pass --allow write, or list resources.templateVersions in the target file and pass --allow destroy',
};

const advice: Readonly<Record<string, string>> = { ...adviceOnTarget, ...adviceOnRun, ...adviceOnNeeds };

/** Whether the target may come to do it without a change of its file and of the flags. `missing`: as for `adviceFor`. */
export const dependsOnTarget = (missing: string): boolean =>
  Object.hasOwn(adviceOnTarget, missing) || adviceFor(missing) === undefined || routeOfMissing(missing) !== undefined;

/** `missing` is that of a result in report.json. Undefined if this version knows no such need. */
export function adviceFor(missing: string): string | undefined {
  if (Object.hasOwn(advice, missing)) return advice[missing];
  const route = routeOfMissing(missing);
  if (route !== undefined) return `implement ${route}`;
  if (!missing.startsWith('scope:')) return undefined;
  const scope = missing.slice('scope:'.length);
  return `add credentials.scoped["${scope}"] to the target file: a token whose only scope is ${scope}`;
}
