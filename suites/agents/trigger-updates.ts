/** Parts of updates with an invalid trigger, shared by the rules of triggers. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import { refusedText, put, refusedMetadata } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { triggersIn } from './triggers.ts';
import type { Trigger } from './triggers.ts';

export const ACCEPTED_RUNS = 25;

/** The id of the trigger that the agent has while its updates are refused. */
export const BASELINE_ID = 'assay-known';

/** Ids of the trigger in such an update: none, a new one, that of the existing trigger. */
export const sentIds = (run: Run): readonly (string | undefined)[] => [undefined, refusedText(run), BASELINE_ID];

export const idAt = (run: Run, index: number): string | undefined => sentIds(run)[index % sentIds(run).length];

/** Without `id` if it is undefined. */
export const withId = (id: string | undefined, trigger: object): object =>
  id === undefined ? trigger : { id, ...trigger };

/** The spec that the agent has while its updates are refused. */
export const baselineWith = (trigger: Trigger): Spec => ({ triggers: [withId(BASELINE_ID, trigger)] });

/** A spec with an invalid trigger; half of them also disable the agent. */
export const specWith = (triggers: readonly object[], isDisabling: boolean): Spec => ({
  triggers,
  ...(isDisabling && { enabled: false }),
});

/** A refused update with visible values. */
export const visibleRefusal = async (run: Run, testAgent: TestAgent, trigger: Trigger): Promise<Mismatch[]> =>
  status(await put(run, testAgent, specWith([withId(refusedText(run), trigger)], true), refusedMetadata(run)), 400);

/** Throws NotTried if the response has no triggers. */
export const needTriggersReturned = (run: Run, exchange: Exchange): unknown =>
  run.need(triggersIn(exchange).length, 'an agent whose response contains its triggers');
