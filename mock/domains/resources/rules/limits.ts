/** Bounds of numbers in an agent's spec. The API does not document them, so a profile may accept what is out of bounds. */
import type { AgentLimit } from '../../../state/choices.ts';
import { invalidField } from '../../../http/problems.ts';
import { isObject } from '../../../http/json-object.ts';
import type { Rule } from './rule.ts';

interface Limit {
  /** Members of the spec. */
  readonly path: readonly [parent: 'runtime' | 'revision', name: string];
  readonly isExceeded: (value: number, parent: Readonly<Record<string, unknown>>) => boolean;
  readonly allowed: string;
}

const above = (max: number) => (value: number) => value > max;
const isNegative = (value: number): boolean => value < 0;
const isZero = (value: number): boolean => value === 0;

const PERCENT = '0 to 100';

export const agentLimits: Readonly<Record<AgentLimit, Limit>> = {
  memoryNegative: { path: ['runtime', 'memory'], isExceeded: isNegative, allowed: '1 or more megabytes' },
  memoryZero: { path: ['runtime', 'memory'], isExceeded: isZero, allowed: '1 or more megabytes' },
  minScaleNegative: { path: ['runtime', 'minScale'], isExceeded: isNegative, allowed: '0 or more instances' },
  maxScaleZero: { path: ['runtime', 'maxScale'], isExceeded: (value) => value <= 0, allowed: '1 or more instances' },
  minScaleAboveMaxScale: {
    path: ['runtime', 'minScale'],
    isExceeded: (value, { maxScale }) => typeof maxScale === 'number' && maxScale > 0 && value > maxScale,
    allowed: 'at most maxScale',
  },
  canaryPercentNegative: { path: ['revision', 'canaryPercent'], isExceeded: isNegative, allowed: PERCENT },
  canaryPercentAbove100: { path: ['revision', 'canaryPercent'], isExceeded: above(100), allowed: PERCENT },
  trafficNegative: { path: ['revision', 'traffic'], isExceeded: isNegative, allowed: PERCENT },
  trafficAbove100: { path: ['revision', 'traffic'], isExceeded: above(100), allowed: PERCENT },
  stickySessionTtlNegative: {
    path: ['revision', 'stickySessionTtl'],
    isExceeded: isNegative,
    allowed: '0 or more seconds',
  },
};

/** The value that exceeds the limit; undefined if none does. */
export function exceeding(limit: AgentLimit, spec: unknown): number | undefined {
  const { path, isExceeded } = agentLimits[limit];
  const parent = isObject(spec) ? spec[path[0]] : undefined;
  if (!isObject(parent)) return undefined;
  const value = parent[path[1]];
  return typeof value === 'number' && isExceeded(value, parent) ? value : undefined;
}

export const checkAgentLimits: Rule = ({ world, spec }) => {
  for (const limit of Object.keys(agentLimits) as AgentLimit[]) {
    const value = world.choices.agents[limit] === 'refused' ? exceeding(limit, spec) : undefined;
    if (value === undefined) continue;
    const { path, allowed } = agentLimits[limit];
    throw invalidField(`spec.${path.join('.')}`, value, allowed);
  }
};

/** The size of a volume, in megabytes. */
export const checkSize: Rule = ({ spec }) => {
  const { size } = spec;
  if (size === undefined || (Number.isInteger(size) && Number(size) > 0)) return;
  throw invalidField('spec.size', size, 'a whole number of megabytes above 0');
};
