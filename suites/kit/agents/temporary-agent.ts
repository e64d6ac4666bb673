/** An agent that the run creates for a single check. */
import type { Run } from '../../engine/conforms.ts';
import type { Exchange } from '../../target/client.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { createAgent } from '../provision/agents.ts';
import { removeByRequestedName } from '../provision/removal.ts';
import { bodyOf } from './test-agent.ts';
import type { TestAgent } from './test-agent.ts';

interface TemporaryAgent {
  readonly testAgent: TestAgent;
  /** Deletes the agent. A failed deletion is retried at the end of the run. */
  readonly remove: () => Promise<Exchange | undefined>;
}

/** Of generation mk2. Undefined if the run cannot create one. */
export async function createTemporaryAgent(run: Run): Promise<TemporaryAgent | undefined> {
  if (run.target.allow === 'read' || run.mayCreate('createAgent') < 1) return undefined;
  const testAgent: TestAgent = { name: run.newName(), generation: 'mk2' };
  const body = bodyOf(run, testAgent);
  if (!isSuccessful(await createAgent(run, testAgent.name, body.spec))) return undefined;
  return { testAgent, remove: () => removeByRequestedName(run, 'createAgent', { body }) };
}
