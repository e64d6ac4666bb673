/** The catalogue: every rule of the interface, in the order of the interface document. */
import { versionsRequirements } from './versions.ts';
import { authRequirements } from './auth.ts';
import { oauthRequirements } from './oauth.ts';
import { errorsRequirements } from './errors.ts';
import { namingRequirements } from './naming.ts';
import { resourcesRequirements } from './resources.ts';
import { agentsRequirements } from './agents.ts';
import { vpcsRequirements } from './vpcs.ts';
import { integrationsRequirements } from './integrations.ts';
import { functionsRequirements } from './functions.ts';
import { sandboxesRequirements } from './sandboxes.ts';
import { imagesRequirements } from './images.ts';
import { volumeTemplatesRequirements } from './volume-templates.ts';
import { accountsRequirements } from './accounts.ts';
import { managementRequirements } from './management.ts';
import { metricsRequirements } from './metrics.ts';
import { inferenceRequirements } from './inference.ts';
import { jobsRequirements } from './jobs.ts';
import { mcpRequirements } from './mcp.ts';
import { sandboxRequirements } from './sandbox.ts';
import type { Source } from './source.ts';
import type { MustRequirement, ObserveRequirement, Requirement } from './requirement.ts';

export const requirements = [
  ...versionsRequirements,
  ...authRequirements,
  ...oauthRequirements,
  ...errorsRequirements,
  ...namingRequirements,
  ...resourcesRequirements,
  ...agentsRequirements,
  ...vpcsRequirements,
  ...integrationsRequirements,
  ...functionsRequirements,
  ...sandboxesRequirements,
  ...imagesRequirements,
  ...volumeTemplatesRequirements,
  ...accountsRequirements,
  ...managementRequirements,
  ...metricsRequirements,
  ...inferenceRequirements,
  ...jobsRequirements,
  ...mcpRequirements,
  ...sandboxRequirements,
] as const satisfies readonly Requirement[];

type Row = (typeof requirements)[number];

export type RequirementId = Row['id'];
export type MustId = Extract<Row, { level: 'must' }>['id'];
export type ObserveId = Extract<Row, { level: 'observe' }>['id'];

const byId: ReadonlyMap<string, Row> = new Map(requirements.map((row) => [row.id, row]));

/** Returns the row with this id. Throws a RangeError if the catalogue does not contain the id, which requires a cast. */
export function requirement<const Id extends RequirementId>(id: Id): Extract<Row, { id: Id }> {
  const row = byId.get(id);
  if (!row) throw new RangeError(`Requirement "${id}" is not in the catalogue.`);
  return row as Extract<Row, { id: Id }>;
}

/** Whether the catalogue contains a requirement with this id. */
export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id);
}

export type { MustRequirement, ObserveRequirement, Requirement };

/** Empty for an id that this version's catalogue does not contain. */
export const sourcesOf = (id: string): readonly Source[] => byId.get(id)?.sources ?? [];
