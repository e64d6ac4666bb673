/** The agents that a sequence may update: created by the run, or restored at its end. */
import { requirement } from '../../spec/requirements/index.ts';
import { createRun, type RunContext } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import { agentToChange } from '../kit/provision/agents.ts';
import { NotTried } from '../target/violation.ts';

/** The words of steps for them: `<own changeable>`. Undefined if there is none that may be changed. */
export interface ChangeableAgents {
  readonly changeable: string | undefined;
  readonly changeableMk3: string | undefined;
}

/** `isOneTarget`: both sides have the same target, so that neither may change what the other one may change, too. */
export async function changeableAgents(
  given: RunContext,
  { isOneTarget }: { isOneTarget: boolean },
): Promise<ChangeableAgents> {
  if (given.target.allow === 'read') return { changeable: undefined, changeableMk3: undefined };
  const { agent: _, mk3Agent: __, ...others } = given.target.resources;
  const context = isOneTarget ? { ...given, target: { ...given.target, resources: others } } : given;
  const run = createRun(requirement('agents.update.envelope-required'), context, newTally());
  const agentOf = (generation: 'mk2' | 'mk3') => agentToChange(run, generation).catch(undefinedIfNotTried);
  const changeable = await agentOf('mk2');
  return { changeable, changeableMk3: await agentOf('mk3') };
}

/** Also if a credential has ended: the steps that need it say so. */
function undefinedIfNotTried(error: unknown): undefined {
  if (!(error instanceof NotTried)) throw error;
}
