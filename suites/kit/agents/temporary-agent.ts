/** An agent that the run creates for a single check. */
import { REMOVABLE_AGENT_NEEDED } from '../../../spec/requirements/need-advice.ts';
import type { Run } from '../../engine/conforms.ts';
import type { Exchange } from '../../target/client.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { createAgent } from '../provision/agents.ts';
import { removeByRequestedName } from '../provision/removal.ts';
import type { TestAgent } from './test-agent.ts';

interface TemporaryAgent {
  readonly testAgent: TestAgent;
  /** Deletes the agent. A failed deletion is retried at the end of the run. */
  readonly remove: () => Promise<Exchange | undefined>;
}

/** Of generation mk2. Throws NotTried if the run cannot create one. */
export async function createTemporaryAgent(run: Run): Promise<TemporaryAgent> {
  run.need(run.target.allow !== 'read', 'write');
  run.need(run.mayCreate('createAgent') > 0, REMOVABLE_AGENT_NEEDED);
  const testAgent: TestAgent = { name: run.newName(), generation: 'mk2' };
  const created = await createAgent(run, testAgent.name, { runtime: { generation: testAgent.generation } });
  run.need(
    isSuccessful(created),
    `an agent that the run can create (POST /agents returned ${created.response.status})`,
  );
  return {
    testAgent,
    remove: () => removeByRequestedName(run, 'createAgent', { body: { metadata: { name: testAgent.name } } }),
  };
}
