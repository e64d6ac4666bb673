/** Describes the effects of a run beyond reading: what may remain, what is removed permanently, and what may cost money. */
import type { OperationId } from '../../spec/operations.ts';
import type { Target } from '../../suites/target/target.ts';
import { effectsIn, sentIn } from './request-counts.ts';
import type { Counts, EffectKind } from './request-counts.ts';

const sentences: readonly (readonly [EffectKind, string])[] = [
  ['creates', 'Creates resources, and removes them if the target supports it (undocumented)'],
  ['keeps', 'Creates resources that cannot be removed'],
  ['changes', 'Changes resources, and restores them if the target can read them'],
  ['removes', 'Permanently removes resources that the run did not create'],
];

/** What exists afterwards that did not before, or the other way round; a sentence each. */
export function describeEffects(counts: Counts, allow: Target['allow'], budget: number): string[] {
  const nonEmpty = sentences.flatMap(([kind, what]) => {
    const effects = effectsIn(counts, kind);
    return effects.length === 0 ? [] : [`${what}: ${listCounts(effects)}.`];
  });
  if (nonEmpty.length === 0) return [`Nothing is created, changed or removed (allow: ${allow}).`];
  const mayRemain = effectsIn(counts, 'creates').length + effectsIn(counts, 'keeps').length > 0;
  const limit = `Creates at most ${budget} resources before the target has proved that it can remove them (--budget).`;
  return mayRemain ? [...nonEmpty, limit] : nonEmpty;
}

const listCounts = (counts: readonly (readonly [OperationId, number])[]): string =>
  counts.map(([id, count]) => `${id} × ${count}`).join(', ');

/** Possible effects on the agents in the target file. A mock cannot reveal them, because a run can create its own agents there. */
export function describeNamedAgents({ allow, resources }: Target, counts: Counts): string[] {
  const { agent, mk3Agent } = resources;
  const names = [...new Set([agent, mk3Agent])].filter((name) => name !== undefined);
  if (names.length === 0 || effectsIn(counts, 'updates').length === 0) return [];
  const which = `If the run cannot create its own agent, it changes ${names.join(' and ')}`;
  return allow === 'destroy'
    ? [`${which}, even one that cannot be read and so cannot be restored (allow: destroy).`]
    : [`${which} only if it can be read first and so restored (allow: ${allow}).`];
}

/** Workloads that compute for the run and so may cost money: each execution of the job and each query of the others. */
export function describeWorkloads({ resources: { job } }: Target, counts: Counts): string[] {
  const starts = effectsIn(counts, 'starts').reduce((sum, [, count]) => sum + count, 0);
  const queries = new Map<OperationId, number>();
  for (const [{ surface, operation: id, path = '' }, count] of sentIn(counts))
    if (id !== undefined && surface === 'inference' && /^\/\{workspace\}\/(agents|models)\//.test(path))
      queries.set(id, (queries.get(id) ?? 0) + count);
  return [
    ...(job === undefined || starts === 0
      ? []
      : [`Starts the named job ${job}, which may cost money: createJobExecution × ${starts}.`]),
    ...(queries.size === 0 ? [] : [`Queries agents and models, which may cost money: ${listCounts([...queries])}.`]),
  ];
}
