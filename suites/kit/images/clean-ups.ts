/** Consecutive cleanups of the workspace's images, with images to remove if the run can create some. */
import { requirement } from '../../../spec/requirements/index.ts';
import type { Run } from '../../engine/conforms.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import { isFinalStatus } from '../../expect/final-status.ts';
import { agentToChange, agentUpdate } from '../provision/agents.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import type { Exchange } from '../../target/client.ts';
import { isConflict } from '../../target/retry-delay.ts';
import type { CallInput } from '../../target/request-types.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const cleanUpsOfRun = sharedValue<Exchange[]>();
const firstOfRun = sharedValue<{ accepted?: Exchange }>();

export async function cleanUp(run: Run): Promise<Exchange> {
  const exchange = await run.client.call('deleteUnusedImages');
  const first = await firstOfRun.get(run, async () => ({}));
  if (isSuccessful(exchange)) first.accepted ??= exchange;
  return exchange;
}

/** The counts in the response. Undefined if it has none. */
export const deletedIn = ({ response: { json } }: Exchange): unknown =>
  (json as { deleted?: unknown } | null | undefined)?.deleted;

/** Cleanups after the first one: it may delete a few images at a time, and other users may release some meanwhile. */
const MAX_REPEATS = requirement('images.cleanup.second-deletes-none').values.attempts;

/**
 * A cleanup and the following ones, up to the first that deletes no images. If the target refuses another one so soon, only the
 * first of the run.
 */
export function cleanUps(run: Run): Promise<Exchange[]> {
  return cleanUpsOfRun.get(run, async () => {
    // The cleanup can be tried even without an agent.
    const agent = await undefinedIfNotTried(agentToChange(run));
    if (agent !== undefined) await leaveImages(run, agent);
    const first = await cleanUp(run);
    const { accepted } = await firstOfRun.get(run, async () => ({}));
    if (isConflict(first.response)) return [accepted ?? first];
    const done = [first];
    while (done.length === 1 || (done.length <= MAX_REPEATS && deletedIn(done.at(-1)!) !== 0)) {
      const next = await cleanUp(run);
      if (isConflict(next.response)) break;
      done.push(next);
    }
    return done;
  });
}

const UPDATES = 4;

/**
 * Every new deployment of an agent releases the previous image. Skipped if the end of deployments cannot be read,
 * because images would be released during the cleanups.
 */
async function leaveImages(run: Run, agentName: string): Promise<void> {
  const returned = () => run.client.call('getAgent', { path: { agentName } });
  if (!hasStatus(await returned())) return;
  for (let update = 0; update < UPDATES; update++)
    await run.client.call('updateAgent', redeployed(run, agentName, update));
  await eventually(returned, (exchange) => isFinalStatus(statusIn(exchange)), run.patienceSeconds);
}

const statusIn = ({ response: { json } }: Exchange): unknown => (json as { status?: unknown } | undefined)?.status;
const hasStatus = (exchange: Exchange): boolean =>
  exchange.response.status === 200 && typeof statusIn(exchange) === 'string';

/** A different update for each number, unless the target file gives the values of variables. */
export function redeployed(run: Run, agent: string, update: number): CallInput {
  const envs = [{ name: 'ASSAY_UPDATE', value: String(update) }];
  return agentUpdate(run, agent, { runtime: { generation: 'mk2', envs } });
}
