/** Invalid updates: each must be refused, and all of them together must have no effect. */
import type { Mismatch, Run } from '../../engine/conforms.ts';
import type { Inputs } from '../../engine/for-all.ts';
import { checkUnchanged, restore, sendBaseline } from './test-agent.ts';
import type { Baseline, Spec, TestAgent } from './test-agent.ts';
import { commonUpdateVariants, rotateSenders, senders } from './test-agents.ts';
import type { Sender } from './test-agents.ts';
import type { CallerVariant } from '../provision/caller-variants.ts';

export interface InvalidUpdates<T extends object> {
  readonly inputs: Inputs<T>;
  /** Tested with every agent. Callers and headers rotate. */
  readonly examples: readonly T[];
  /** The mistake of an input: one example of each is sent in every run. Defaults to none. */
  readonly classOf?: (input: T) => string | readonly string[];
  /** Inputs to generate at most. Defaults to those of the run. */
  readonly runs?: number;
  /** Whether this input is invalid for the agent. Defaults to all. */
  readonly isInvalid?: (testAgent: TestAgent, input: T) => boolean;
  /** Sends the update and returns how its response differs from the expected refusal. */
  readonly refusal: (testAgent: TestAgent, input: T, variant: CallerVariant) => Promise<readonly Mismatch[]>;
}

export interface RefusedUpdates {
  /** Tests a property. Call it in a fixed order, like `run.forAll`. */
  readonly check: <T extends object>(updates: InvalidUpdates<T>) => Promise<void>;
}

export interface RefusalOptions {
  /** Accepted updates of an agent, before its baseline. */
  readonly prepare?: (testAgent: TestAgent) => Promise<unknown>;
  /** Further fields of the spec that the agent has while updates are refused. */
  readonly baseline?: Spec;
  /** Another refused update, the last one: its effects are visible, whatever those of the others are. */
  readonly last?: (testAgent: TestAgent) => Promise<readonly Mismatch[]>;
}

/**
 * Calls `use` with a function that tests invalid updates of these agents. An agent gets its baseline before its first invalid
 * update; after all of them it must be unchanged.
 */
export async function withRefusedUpdates(
  run: Run,
  agents: readonly TestAgent[],
  { prepare = async () => {}, baseline = {}, last = async () => [] }: RefusalOptions,
  use: (refused: RefusedUpdates) => Promise<void>,
): Promise<void> {
  const variants = await commonUpdateVariants(run, agents);
  const baselines = new Map<TestAgent, Promise<Baseline>>();
  const establish = async (testAgent: TestAgent): Promise<Baseline> => {
    await prepare(testAgent);
    return sendBaseline(run, testAgent, baseline);
  };
  const ready = async (testAgent: TestAgent): Promise<unknown> => {
    const sent = baselines.get(testAgent) ?? establish(testAgent);
    baselines.set(testAgent, sent);
    return sent;
  };
  async function check<T extends object>(updates: InvalidUpdates<T>): Promise<void> {
    const { inputs, examples, classOf, runs = run.runs, isInvalid = () => true, refusal } = updates;
    const agentOf = (generation: Sender['agent']): TestAgent =>
      run.need(
        agents.find((each) => each.generation === generation),
        generation,
      );
    const isTested = (input: T & Sender): boolean => isInvalid(agentOf(input.agent), input);
    await run.forAll<T & Sender>(
      { ...inputs, ...senders(agents, variants) } as unknown as Inputs<T & Sender>,
      async (input) => {
        if (!isTested(input)) return [];
        const testAgent = agentOf(input.agent);
        await ready(testAgent);
        return refusal(testAgent, input, input.variant);
      },
      {
        runs,
        examples: rotateSenders(agents, variants, examples).filter(isTested),
        sequential: false,
        ...(classOf && {
          classOf: (input: T & Sender) => [classOf(input), JSON.stringify([input.agent, input.variant])].flat(),
        }),
      },
    );
  }
  let isUnchanged = false;
  try {
    await use({ check });
    for (const [testAgent, sent] of baselines) {
      run.check(await last(testAgent));
      run.check(await checkUnchanged(run, await sent));
    }
    isUnchanged = true;
  } finally {
    const isPlain = isUnchanged && Object.keys(baseline).length === 0;
    for (const testAgent of baselines.keys())
      if (!isPlain || !testAgent.name.startsWith(run.prefix)) await restore(run, testAgent);
  }
}
