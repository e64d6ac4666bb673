/** Bounds of numbers in specs. The API does not document them, so a profile may accept an agent that is out of bounds. */
import { specLimits, type SpecLimit, type SpecLimitName } from '../../../../spec/formats/mock-limits.ts';
import type { AgentLimit } from '../../../state/choices.ts';
import { invalidField } from '../../../http/problems.ts';
import { isObject, type JsonObject } from '../../../../spec/json-object.ts';
import { objectMember, type Rule } from './rule.ts';

interface Limit {
  /** Members of the spec. */
  readonly path: readonly [parent: 'runtime' | 'revision', name: SpecLimitName];
  readonly isExceeded: (value: number, parent: JsonObject) => boolean;
}

const above = (max: number) => (value: number) => value > max;
const isNegative = (value: number): boolean => value < 0;
const isZero = (value: number): boolean => value === 0;
const isAboveMaxScale: Limit['isExceeded'] = (value, { maxScale }) =>
  typeof maxScale === 'number' && maxScale > 0 && value > maxScale;

/** Bounds that a profile can lift. */
export const agentLimits: Readonly<Record<AgentLimit, Limit>> = {
  memoryNegative: { path: ['runtime', 'memory'], isExceeded: isNegative },
  memoryZero: { path: ['runtime', 'memory'], isExceeded: isZero },
  minScaleNegative: { path: ['runtime', 'minScale'], isExceeded: isNegative },
  maxScaleZero: { path: ['runtime', 'maxScale'], isExceeded: (value) => value <= 0 },
  minScaleAboveMaxScale: { path: ['runtime', 'minScale'], isExceeded: isAboveMaxScale },
  canaryPercentNegative: { path: ['revision', 'canaryPercent'], isExceeded: isNegative },
  canaryPercentAbove100: { path: ['revision', 'canaryPercent'], isExceeded: above(100) },
  trafficNegative: { path: ['revision', 'traffic'], isExceeded: isNegative },
  trafficAbove100: { path: ['revision', 'traffic'], isExceeded: above(100) },
  stickySessionTtlNegative: { path: ['revision', 'stickySessionTtl'], isExceeded: isNegative },
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
    throw outOfBounds(agentLimits[limit].path[1], value, limit === 'minScaleAboveMaxScale');
  }
  requireUpperBounds('agents', spec);
};

export const checkLimits: Rule = ({ collection, spec }) => requireValidNumbers(collection, spec);

/** Throws a problem unless every number of the spec is whole and within its bounds. */
export function requireValidNumbers(collection: string, spec: JsonObject): void {
  const runtime = objectMember(spec, 'runtime') ?? {};
  for (const [name, value] of numbersOf(collection, spec)) {
    const { min, max } = specLimits[name];
    if (!Number.isInteger(value) || Number(value) < min || Number(value) > max) throw outOfBounds(name, value);
  }
  const { minScale } = runtime;
  if (typeof minScale === 'number' && isAboveMaxScale(minScale, runtime)) throw outOfBounds('minScale', minScale, true);
}

/** Percentages, which a profile may accept; nothing is computed from those of more than 100. */
const LIFTABLE: readonly SpecLimitName[] = ['canaryPercent', 'traffic'];

/** Throws a problem for a number above its upper bound, which no profile can lift. `where`: for the message. */
export function requireUpperBounds(collection: string, spec: JsonObject, where = 'spec'): void {
  for (const [name, value] of numbersOf(collection, spec)) {
    if (typeof value === 'number' && value > specLimits[name].max && !LIFTABLE.includes(name))
      throw outOfBounds(name, value, false, where);
  }
}

interface BoundedMember {
  readonly name: SpecLimitName;
  /** Members of the spec, from the outermost on. */
  readonly path: readonly string[];
}

/** By the last part of the collection's path. */
const boundedMembers = new Map<string, BoundedMember[]>();
for (const [name, { of, path }] of Object.entries(specLimits) as [SpecLimitName, SpecLimit][])
  for (const kind of of)
    boundedMembers.set(kind, [...(boundedMembers.get(kind) ?? []), { name, path: path.split('.') }]);

/** The values of the bounded members that the spec has. `collection`: such as `agents`, or `volume_templates/demo/versions`. */
function numbersOf(collection: string, spec: JsonObject): [SpecLimitName, unknown][] {
  const numbers: [SpecLimitName, unknown][] = [];
  for (const { name, path } of boundedMembers.get(collection.slice(collection.lastIndexOf('/') + 1)) ?? []) {
    let value: unknown = spec;
    for (const member of path) value = isObject(value) ? value[member] : undefined;
    if (value !== undefined) numbers.push([name, value]);
  }
  return numbers;
}

function outOfBounds(name: SpecLimitName, value: unknown, exceedsMaxScale = false, where = 'spec'): Error {
  const { path, min, max, unit } = specLimits[name];
  const allowed = exceedsMaxScale ? 'at most maxScale' : `a whole number from ${min} to ${max} ${unit}`;
  return invalidField(`${where}.${path}`, value, allowed);
}
