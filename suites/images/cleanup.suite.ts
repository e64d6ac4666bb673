/** images.cleanup.*: the response of a cleanup, and which images it keeps and removes. */
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { isSuccess } from '../kit/resources/seen-resource.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { isConflict } from '../target/retry-delay.ts';
import { status } from '../expect/status.ts';
import { servingAgentToChange } from '../kit/provision/agents.ts';
import type { Exchange } from '../target/client.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { cleanUp, cleanUps, deletedIn, redeployed } from '../kit/images/clean-ups.ts';
import { listedImages, stillListed } from './registry.ts';
import { agentWorkload, namedWorkloads, serving, stillServe } from './workloads.ts';
import type { Workload } from './workloads.ts';

// Runs first: a cleanup of another case may stop workloads, and these would then not be checked.
conforms('images.cleanup.keeps-images-in-use', async (run) => {
  const own = await undefinedIfNotTried(servingAgentToChange(run));
  const known = [...namedWorkloads(run), ...(own === undefined ? [] : [agentWorkload(run, own)])];
  const workloads = await serving([...new Map(known.map((each) => [each.label, each])).values()]);
  run.need(workloads.length, 'an agent, function, sandbox or job that serves');
  await checkKept(run, workloads);
  if (own !== undefined) await run.client.call('updateAgent', redeployed(run, own, 100)); // And one whose new revision is being deployed.
  await checkKept(run, workloads);
  await checkKept(run, workloads);
});

judges('images.cleanup.answer-shape', 'deleteUnusedImages', (seen) => {
  if (!isSuccess(seen) || (seen.status === 200 && seen.json === undefined)) return undefined;
  return [...status(seen.exchange, 200), ...reportsCounts(seen.exchange)];
});

conforms('images.cleanup.answer-shape', async (run) => {
  const all = await cleanUps(run);
  // Another user may have started one.
  run.need(!all.some(({ response }) => isConflict(response)), 'a clean-up of images that succeeds');
  for (const exchange of all) run.check([...status(exchange, 200), ...reportsCounts(exchange)]);
});

function reportsCounts(exchange: Exchange): Mismatch[] {
  const { message } = (exchange.response.json ?? {}) as { message?: unknown };
  const deleted = deletedIn(exchange);
  const isCount = Number.isInteger(deleted) && Number(deleted) >= 0;
  return [
    ...(isCount ? [] : [wrong(exchange, 'deleted: an integer from 0', `deleted: ${JSON.stringify(deleted)}`)]),
    ...(typeof message === 'string'
      ? []
      : [wrong(exchange, 'message: a string', `message: ${JSON.stringify(message)}`)]),
  ];
}

const wrong = (exchange: Exchange, expected: string, actual: string): Mismatch => ({ expected, actual, exchange });

conforms('images.cleanup.second-deletes-none', async (run) => {
  const { deleted, attempts } = run.rule.values;
  const [first, ...more] = await cleanUps(run);
  run.need(first && isSuccessful(first), 'a clean-up of images that succeeds');
  const exchange = run.need(more.at(-1), 'a second clean-up of images');
  const expected = `${deleted} images deleted by one of ${attempts} more clean-ups`;
  const actual = more.map((each) => JSON.stringify(deletedIn(each))).join(', ');
  const isDone = more.length <= attempts && deletedIn(exchange) === deleted;
  run.check(isDone ? [] : [{ expected, actual, exchange }]);
});

async function checkKept(run: Run, workloads: readonly Workload[]): Promise<void> {
  const listed = await listedImages(run, workloads);
  const exchange = await cleanUp(run);
  run.need(isSuccessful(exchange), 'a clean-up of images that succeeds');
  run.check(await stillServe(run, workloads, exchange), await stillListed(run, listed, exchange));
}
