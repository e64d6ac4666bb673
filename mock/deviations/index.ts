/** Every deliberate fault the mock can be given, by id. */
import { errorsDeviations } from './errors.ts';
import type { Deviation, Deviations } from './deviation.ts';
import { metricsDeviations } from './metrics/index.ts';
import { resourcesDeviations } from './resources.ts';
import { versionsDeviations } from './versions.ts';

export const deviations: Deviations = {
  ...versionsDeviations,
  ...errorsDeviations,
  ...metricsDeviations,
  ...resourcesDeviations,
};

export const deviationIds: readonly string[] = Object.keys(deviations);

/** The requirement that a deviation breaks: its id without the variant. */
export function requirementOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/** Throws for an id that is none, with the ids that come near. */
export function deviation(id: string): Deviation {
  const found = (deviations as Record<string, Deviation | undefined>)[id];
  if (found === undefined || !Object.hasOwn(deviations, id)) throw new Error(unknownDeviation(id));
  return found;
}

function unknownDeviation(id: string): string {
  const area = id.split('.', 1)[0] ?? '';
  const near = deviationIds.filter((known) => known.startsWith(`${area}.`));
  const hint =
    near.length === 0 ? 'assay mock --list-deviations shows them all' : `of that area there are: ${near.join(', ')}`;
  return `Deviation "${id}" is unknown; ${hint}.`;
}
