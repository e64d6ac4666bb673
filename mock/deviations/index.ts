/** All deviations of the mock, by id. */
import { agentsDeviations } from './agents/index.ts';
import { authDeviations } from './auth/index.ts';
import { errorsDeviations } from './errors.ts';
import { fieldDeviations } from './fields.ts';
import type { Deviation, Deviations } from './deviation.ts';
import { deviationsOf, merged } from './table.ts';
import { imagesDeviations } from './images.ts';
import { inferenceDeviations } from './inference/index.ts';
import { jobsDeviations } from './jobs.ts';
import { mcpDeviations } from './mcp/index.ts';
import { sandboxesDeviations } from './sandboxes.ts';
import { volumeTemplatesDeviations } from './volume-templates.ts';
import { accountsDeviations } from './accounts.ts';
import { functionsDeviations } from './functions.ts';
import { integrationsDeviations } from './integrations.ts';
import { vpcsDeviations } from './vpcs.ts';
import { namingDeviations } from './naming/index.ts';
import { metricsDeviations } from './metrics/index.ts';
import { oauthDeviations } from './oauth/index.ts';
import { resourcesDeviations } from './resources/index.ts';
import { sandboxDeviations } from './sandbox/index.ts';
import { versionsDeviations } from './versions.ts';

const handWritten = merged(
  agentsDeviations,
  versionsDeviations,
  errorsDeviations,
  authDeviations,
  imagesDeviations,
  inferenceDeviations,
  jobsDeviations,
  mcpDeviations,
  sandboxesDeviations,
  volumeTemplatesDeviations,
  namingDeviations,
  vpcsDeviations,
  integrationsDeviations,
  functionsDeviations,
  accountsDeviations,
  metricsDeviations,
  oauthDeviations,
  resourcesDeviations,
  sandboxDeviations,
);

export const deviations: Deviations = { ...deviationsOf(handWritten), ...fieldDeviations };

export const deviationIds: readonly string[] = Object.keys(deviations);

/** The requirement that a deviation breaks: its id without the variant. */
export function requirementOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/** Throws for an unknown id, with similar ids. */
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
