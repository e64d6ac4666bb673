/** An agent that is moved from mk3 to mk2, once per run. */
import type { Run } from '../../engine/conforms.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import type { Exchange } from '../../target/client.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { sampleCallbackUrl } from '../provision/samples.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { createTemporaryAgent } from './temporary-agent.ts';
import { hasMk2 } from './without-runtime.ts';
import { bodyOf } from './test-agent.ts';
import { updateWhenSettled } from '../provision/agents.ts';

export interface MovedAgent {
  /** The update on mk2 before. */
  readonly first: Exchange;
  /** The update that moves it to mk3, with a timeout. */
  readonly onMk3: Exchange;
  /** The update that moves it back to mk2, without the timeout. */
  readonly back: Exchange;
}

const movedOfRun = sharedValue<MovedAgent | undefined>();

/** A new agent with an async trigger. Undefined if the run cannot create one, or the target refuses to move it. */
export const movedAgent = (run: Run): Promise<MovedAgent | undefined> =>
  movedOfRun.get(run, async () => {
    const temporary = await undefinedIfNotTried(createTemporaryAgent(run));
    if (temporary === undefined) return undefined;
    const { testAgent, remove } = temporary;
    const configuration = { path: '/assay/moved', callbackUrl: sampleCallbackUrl(run) };
    const send = (generation: 'mk2' | 'mk3', timeout?: number): Promise<Exchange> =>
      updateWhenSettled(run, run.client, {
        path: { agentName: testAgent.name },
        body: bodyOf(run, testAgent, {
          runtime: { generation },
          triggers: [{ id: 'assay-moved', type: 'http-async', configuration: { ...configuration, timeout } }],
        }),
      });
    try {
      const first = await send('mk2');
      const onMk3 = isSuccessful(first) ? await send('mk3', TIMEOUT_SECONDS) : first;
      const back = isSuccessful(onMk3) ? await send('mk2') : onMk3;
      return hasMk2(back) && !hasMk2(onMk3) ? { first, onMk3, back } : undefined;
    } finally {
      await remove();
    }
  });

const TIMEOUT_SECONDS = 700;
