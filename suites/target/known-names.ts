/** The values of a target for path parameters, for all operations. */
import type { Target } from './target.ts';

/** By parameter name. Undefined if the target file has none. */
export type KnownNames = Readonly<Record<string, string | undefined>>;

/** Excludes names of resources that only the run creates. */
export function knownNames({
  account,
  workspace,
  resources,
}: Pick<Target, 'account' | 'workspace' | 'resources'>): KnownNames {
  return {
    accountId: account,
    workspace,
    integrationName: resources.integration,
    agentName: resources.agent,
    agent: resources.agent,
    functionName: resources.function,
    serverName: resources.function,
    modelName: resources.model,
    model: resources.model,
    jobName: resources.job,
    sandboxName: resources.sandbox,
  };
}
