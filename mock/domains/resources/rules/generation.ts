/** Defaults of agents, and features of one generation of the runtime. */
import type { AgentSpec } from '../../../../spec/generated/types.ts';
import { invalidField } from '../../../http/problems.ts';
import type { Rule } from './rule.ts';

const DEFAULT_GENERATION = 'mk2';

export function generationOf({ runtime }: AgentSpec): string {
  return runtime?.generation ?? DEFAULT_GENERATION;
}

export const completeAgent: Rule = ({ spec }) => {
  const agent = spec as AgentSpec;
  spec['enabled'] ??= true;
  spec['public'] ??= false;
  spec['runtime'] = { ...agent.runtime, generation: generationOf(agent) };
};

export const publicOnlyOnMk3: Rule = ({ spec }) => {
  const agent = spec as AgentSpec;
  const generation = generationOf(agent);
  if (agent.public === true && generation !== 'mk3') {
    throw invalidField('spec.public', true, `false on generation ${generation}, since only mk3 has public agents`);
  }
};
