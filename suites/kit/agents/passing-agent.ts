/** An agent that the run makes for one question alone. */
import type { Run } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { removeByName } from '../provision/removal.ts';
import { bodyOf } from './subject.ts';
import type { Subject } from './subject.ts';

interface PassingAgent {
  readonly subject: Subject;
  /** If the target can: else it is tried again at the end of the run. */
  readonly remove: () => Promise<unknown>;
}

/** Of generation mk2. Undefined where the target does not let the run make one. */
export async function passingAgent(run: Run): Promise<PassingAgent | undefined> {
  if (run.target.allow === 'read' || run.mayCreate('createAgent') < 1) return undefined;
  const subject: Subject = { name: run.newName(), generation: 'mk2' };
  const body = bodyOf(subject);
  if (!isSuccessful(await run.client.call('createAgent', { body }))) return undefined;
  return { subject, remove: () => removeByName(run, 'createAgent', { body }) };
}
