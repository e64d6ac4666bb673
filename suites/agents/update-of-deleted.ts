/** Updates an agent that the run has created and deleted. */
import type { Run } from '../engine/conforms.ts';
import { consecutively, eventually, isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import { createTemporaryAgent } from '../kit/agents/temporary-agent.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { put, readAgent, readUntil } from '../kit/agents/test-agent.ts';

/** Undefined if the run cannot create an agent, delete it and read that it is gone. */
export async function updateOfDeleted(run: Run): Promise<Exchange | undefined> {
  const temporaryAgent = await undefinedIfNotTried(createTemporaryAgent(run));
  if (temporaryAgent === undefined) return undefined;
  const { testAgent, remove } = temporaryAgent;
  const wasThere = isSuccessful(await readUntil(run, testAgent, isSuccessful));
  if (!wasThere) return undefined;
  // 404 may come from a replica that does not know the agent yet, and deletes nothing.
  const removal = await eventually(remove, (each) => each === undefined || !isGone(each), run.patienceSeconds);
  if (removal === undefined || !isSuccessful(removal)) return undefined;
  const read = consecutively(() => readAgent(run, testAgent), isGone);
  if (!isGone(await eventually(read, isGone, run.patienceSeconds))) return undefined;
  const exchange = await put(run, testAgent);
  if (isSuccessful(exchange)) await remove();
  return exchange;
}

const isGone = ({ response }: Exchange): boolean => response.status === 404;
