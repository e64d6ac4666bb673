/** An agent of the run's own that was deleted, and is updated after that. */
import type { Run } from '../conforms.ts';
import { isAnswered2xx } from '../eventually.ts';
import { removed } from '../provision/short-lived.ts';
import type { Exchange } from '../target/client.ts';
import { bodyOf, put, readUntil } from './subject.ts';
import type { Subject } from './subject.ts';

/** Undefined where the target does not let the run make an agent, delete it, and read that it is gone. */
export async function updateOfDeleted(run: Run): Promise<Exchange | undefined> {
  if (run.target.allow === 'read' || run.mayCreate('createAgent') < 1) return undefined;
  const subject: Subject = { name: run.newName(), generation: 'mk2' };
  const body = bodyOf(subject);
  if (!isAnswered2xx(await run.client.call('createAgent', { body }))) return undefined;
  const wasThere = isAnswered2xx(await readUntil(run, subject, isAnswered2xx));
  await removed(run, 'createAgent', { body });
  if (!wasThere || !isGone(await readUntil(run, subject, isGone))) return undefined;
  const exchange = await put(run, subject);
  if (isAnswered2xx(exchange)) await removed(run, 'createAgent', { body });
  return exchange;
}

const isGone = ({ answer }: Exchange): boolean => answer.status === 404;
