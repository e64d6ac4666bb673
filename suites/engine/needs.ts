/** Which needs of a requirement a target meets. */
import type { Need, Requirement } from '../../spec/requirements/requirement.ts';
import { describeNeed } from '../../spec/requirements/requirement.ts';
import { isJwt } from '../target/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Target } from '../target/target.ts';

const mayWrite = ({ allow }: Target): boolean => allow !== 'read';
const credentialsOf = ({ credentials: { scoped, expired: _, ...named } }: Target) =>
  [...Object.values(named), ...Object.values(scoped)].map(({ value }) => value);

type NamedNeed = Exclude<Need, `scope:${string}`>;

const needChecks: Record<NamedNeed, (target: Target) => boolean> = {
  admin: ({ credentials }) => credentials.admin !== undefined,
  member: ({ credentials }) => credentials.member !== undefined,
  'workspace-admin': ({ credentials }) => credentials.workspaceAdmin !== undefined,
  // A client may get one.
  noscope: ({ credentials: { unrelated, scoped }, client }) =>
    unrelated !== undefined || Object.keys(scoped).length > 0 || (client?.scopes ?? []).length > 0,
  jwt: (target) => credentialsOf(target).some(isJwt),
  'api-key': ({ credentials }) => credentials.apiKey !== undefined,
  client: ({ client }) => client !== undefined,
  write: mayWrite,
  destroy: ({ allow }) => allow === 'destroy',
  // A run that may write can create an agent if the target has the inferred operations. If not, the case is not tried.
  agent: (target) => mayWrite(target) || target.resources.agent !== undefined,
  'mk3-agent': (target) => mayWrite(target) || target.resources.mk3Agent !== undefined,
  model: ({ resources }) => resources.model !== undefined,
  function: ({ resources }) => resources.function !== undefined,
  job: ({ resources }) => resources.job !== undefined,
  sandbox: ({ resources, addresses }) => resources.sandbox !== undefined && addresses.sandbox !== undefined,
  volume: ({ resources }) => resources.volume !== undefined,
  connection: ({ resources }) => resources.connection !== undefined,
  integration: ({ resources }) => resources.integration !== undefined,
  'mail-integration': ({ resources }) => resources.mailIntegration !== undefined,
  'preview-token': (target) =>
    mayWrite(target) && (target.resources.sandbox !== undefined || target.resources.previewTokens !== undefined),
  'template-version': mayWrite,
};

function isMet(need: Need, target: Target): boolean {
  if (need in needChecks) return needChecks[need as NamedNeed](target);
  return target.credentials.scoped[need.slice('scope:'.length)] !== undefined;
}

/** The needs that the target does not meet. */
export const unmetNeeds = (rule: Requirement, target: Target): Need[] =>
  rule.needs.filter((need) => !isMet(need, target));

/** What a need is for: without these operations it is of no use. */
const operationsOfNeeds: Partial<Record<Need, readonly OperationId[]>> = {
  client: ['requestToken', 'authorize'],
  model: ['queryModel', 'createChatCompletion'],
  function: ['getFunctionMcp', 'postFunctionMcp', 'deleteFunctionMcp'],
  job: ['createJobExecution'],
  integration: ['getIntegration'],
  'mail-integration': ['getIntegration'],
};

/** Whether the rule needs operations that the target does not have, as its user declared: they come before the need. */
export function needsUndeclared(rule: Requirement, need: Need, { operations }: Pick<Target, 'operations'>): boolean {
  const own = operationsOfNeeds[need]?.filter((id) => rule.operations.includes(id)) ?? [];
  return operations !== undefined && own.length > 0 && !own.some((id) => operations.includes(id));
}

const describe = (need: Need): string => `${need}: ${describeNeed(need)}`;

/** The first need that the target does not meet. Undefined if it meets all. */
export const firstUnmetNeed = (rule: Requirement, target: Target): Need | undefined => unmetNeeds(rule, target)[0];

/** The first need that the target does not meet, with its description. Undefined if it meets all. */
export const missingNeed = (rule: Requirement, target: Target): string | undefined =>
  unmetNeeds(rule, target).map(describe)[0];
