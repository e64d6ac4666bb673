/** The agents of both generations that a property updates. Each of its inputs names one of them. */
import * as fc from 'fast-check';
import type { Run } from '../../engine/conforms.ts';
import { agentToChange } from '../provision/agents.ts';
import type { Generation } from '../provision/agents.ts';
import { acceptedUpdateVariants, restore } from './test-agent.ts';
import type { TestAgent } from './test-agent.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { variantAt } from '../provision/caller-variants.ts';
import type { CallerVariant } from '../provision/caller-variants.ts';

export interface TestAgents {
  /** Of generation mk2, and of mk3 if there is one. */
  readonly all: readonly [TestAgent, ...TestAgent[]];
  readonly generations: readonly Generation[];
  /** An agent that is restored at the end. */
  of(generation: Generation): TestAgent;
}

/** The mk2 agent, and the mk3 agent if there is one. Throws NotTried without an mk2 agent. */
export async function eachTestAgent(run: Run): Promise<readonly [TestAgent, ...TestAgent[]]> {
  const mk2 = await agentToChange(run, 'mk2');
  const mk3 = await undefinedIfNotTried(agentToChange(run, 'mk3'));
  return [{ name: mk2, generation: 'mk2' }, ...(mk3 === undefined ? [] : [{ name: mk3, generation: 'mk3' } as const])];
}

/** Calls `use` with the agents, and restores those that it has used. */
export async function withTestAgents(run: Run, use: (agents: TestAgents) => Promise<void>): Promise<void> {
  const all = await eachTestAgent(run);
  const used = new Set<TestAgent>();
  const of = (generation: Generation): TestAgent => {
    const found = run.need(
      all.find((each) => each.generation === generation),
      `an agent of generation ${generation}`,
    );
    used.add(found);
    return found;
  };
  try {
    await use({ all, generations: all.map(({ generation }) => generation), of });
  } finally {
    for (const testAgent of used) await restore(run, testAgent);
  }
}

/** What a property draws in addition to its own inputs. */
export interface Sender {
  /** The generation of the agent that is updated. */
  readonly agent: Generation;
  readonly variant: CallerVariant;
}

/** The variants with which the target accepts valid updates of each of the agents. */
export async function commonUpdateVariants(run: Run, agents: readonly TestAgent[]): Promise<readonly CallerVariant[]> {
  const accepted = [];
  for (const testAgent of agents) accepted.push(await acceptedUpdateVariants(run, testAgent));
  const [first = [], ...others] = accepted;
  const isIn = (list: readonly CallerVariant[], { caller, header }: CallerVariant): boolean =>
    list.some((each) => each.caller === caller && each.header === header);
  return first.filter((variant) => others.every((list) => isIn(list, variant)));
}

/** Every agent and variant. */
export const senders = (agents: readonly TestAgent[], variants: readonly CallerVariant[]) => ({
  agent: fc.constantFrom(...agents.map(({ generation }) => generation)),
  variant: fc.constantFrom(...variants),
});

/** Every example for each agent: consecutive ones are for different agents, and by different variants. */
export const rotateSenders = <T extends object>(
  agents: readonly TestAgent[],
  variants: readonly CallerVariant[],
  examples: readonly T[],
): (T & Sender)[] =>
  rotateAgents(agents, examples).map((example, at) => {
    const [index, pass] = [at % examples.length, Math.floor(at / examples.length)];
    return { ...example, variant: variantAt(variants, index + Math.floor(index / variants.length) + pass) };
  });

/** Every example for each agent: consecutive ones are for different agents. */
export const rotateAgents = <T extends object>(
  agents: readonly TestAgent[],
  examples: readonly T[],
): (T & Pick<Sender, 'agent'>)[] =>
  agents.flatMap((_, pass) =>
    examples.map((example, index) => ({ ...example, agent: agents[(index + pass) % agents.length]!.generation })),
  );
