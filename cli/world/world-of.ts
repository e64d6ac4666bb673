/** Builds the content of a world file from responses of a deployment, without secrets and personal data. */
import { kindIds, kinds } from '../../mock/domains/resources/kinds.ts';
import type { KindId } from '../../mock/domains/resources/kind.ts';
import type { ResourceFile, WorldFile } from '../../spec/formats/world-file.ts';
import { fieldsOf, isFields, type Fields } from '../../suites/json/fields.ts';
import { metadataIn } from '../../suites/json/metadata-in.ts';
import { withUsage } from './add-usage.ts';
import { cleanFields, cleanLabels } from './clean-fields.ts';
import { createdAtOf, keptName, nameForm, ownWorkspace, type AboutDeployment, type Context } from './context.ts';
import { fitResources } from './fit-resources.ts';
import { integrationsOf, withSecrets } from './integrations.ts';
import { meteredUsage } from './metered-usage.ts';
import { namedByTarget } from './named-by-target.ts';
import { peopleOf, placesOf } from './places-and-people.ts';
import { createReplacements, type Replacements } from './replacements.ts';
import {
  pathSegments,
  contentsOf,
  workspaceOf,
  type ResponseContents,
  type DeploymentResource,
  type DeploymentResponse,
} from './response-contents.ts';
import { targetNames } from './target-names.ts';

const MAX_DISPLAY_NAME = 63;

export interface BuiltWorld {
  readonly file: WorldFile;
  /** The number of resources that responses show. */
  readonly resourceCount: number;
  /** What the file cannot say, by kind, with counts: a sentence each. */
  readonly remarks: readonly string[];
}

/** The same responses give the same file. Everything that it has is accepted by the mock. */
export function worldOf(responses: readonly DeploymentResponse[], about: AboutDeployment): BuiltWorld {
  const counts = new Map<string, number>();
  const note = (what: string, count = 1): void => void counts.set(what, (counts.get(what) ?? 0) + count);
  const replacements = createReplacements(about.isSecret, about.keepsPersonal);
  const contents = contentsOf(responses);
  const context: Context = {
    about: { ...about, ...accountIn(responses, about.account) },
    replacements,
    note,
    workspace: mainWorkspace(contents, about, replacements),
  };
  const metered = meteredUsage(responses, about.takenAt);
  const resources = [...contents.resources, ...namedByTarget(about.resources, contents.resources, note)].filter(
    ({ kind }) => kind !== 'workspaces',
  );
  const live = resources.toSorted(inOrderOfCreation).flatMap((each) => resourceFile(each, context));
  const places = placesOf(contents, live, metered, context);
  const people = peopleOf(live, places);
  const integrations = integrationsOf(responses, live, context);
  const unfitted: WorldFile = {
    ...places,
    ...people,
    ...(integrations.length > 0 && { integrations }),
    resources: withSecrets(about.hasUsage === false ? live : withUsage(live, metered, context), integrations),
    target: { account: places.accounts[0]!.id, workspace: context.workspace, resources: {} },
  };
  const fitted = fitResources(unfitted, about.takenAt, note);
  for (const [id, count] of contents.others) if (!usedOperations.has(id)) note(`responses of ${id}`, count);
  const target = { ...unfitted.target, client: people.clients[0]!.id };
  return {
    file: {
      ...unfitted,
      resources: fitted,
      target: { ...target, resources: targetNames(fitted, context.workspace, about.resources, integrations) },
    },
    resourceCount: contents.resources.length,
    remarks: [...[...counts].map(([what, count]) => `Not in the world file: ${what}: ${count}.`), ...metered.remarks],
  };
}

const usedOperations: ReadonlySet<string> = new Set([
  'listIntegrations',
  'getIntegration',
  'listAccounts',
  'getAccountMetrics',
]);

/** That of the target file, or of a query of its metrics. */
function accountIn(responses: readonly DeploymentResponse[], given: string | undefined): { account?: string } {
  const query = responses.find((each) => each.operation === 'getAccountMetrics');
  const account = given ?? (query && pathSegments(query.path)[1]);
  return account === undefined ? {} : { account };
}

function mainWorkspace(
  { resources }: ResponseContents,
  { workspace }: AboutDeployment,
  { kept, of }: Replacements,
): string {
  const named = resources.flatMap(({ kind, name: own, fields }) =>
    kind === 'workspaces' ? own : (workspaceOf(fields) ?? []),
  );
  const [most = 'main'] = Map.groupBy(named, (each) => each)
    .entries()
    .toArray()
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([each]) => each);
  const main = workspace ?? most;
  return kept(main, nameForm) ?? of('name', main);
}

/** Volumes before the agents that mount them, and so on. */
const creationOrder: readonly KindId[] = ['policies', 'volumes', 'vpcs', 'integrations/connections', ...kindIds];

const inOrderOfCreation = (a: DeploymentResource, b: DeploymentResource): number =>
  creationOrder.indexOf(a.kind) - creationOrder.indexOf(b.kind);

function resourceFile({ kind, collection, name: own, fields }: DeploymentResource, context: Context): ResourceFile[] {
  const { replacements, note, about } = context;
  const { kept, of } = replacements;
  const metadata = metadataIn(fields);
  const { displayName, labels, createdBy } = metadata;
  if (typeof fields['status'] === 'string' && fields['status'] !== 'DEPLOYED')
    note(`${kind} whose status is not DEPLOYED, except as deployed`);
  if (hasRevisionIds(fields)) note(`${kind} with ids of revisions, except without them`);
  if (kept(own, nameForm) === undefined)
    note(`${kind} with a name that the format does not allow, except by another name`);
  // Versions of volume templates do not have the common envelope.
  const { name: _, ...members } =
    kind === 'versions' && fields['spec'] === undefined ? fields : { ...fieldsOf(fields['spec']), name: own };
  const parents = collection
    .split('/')
    .map((part) => (kinds[kind].parent === undefined ? part : keptName(part, context)));
  const created = createdAtOf(metadata, about.takenAt);
  return [
    {
      workspace: ownWorkspace(workspaceOf(fields), context),
      collection: parents.join('/'),
      name: keptName(own, context),
      ...(typeof displayName === 'string' &&
        displayName !== '' && { displayName: of('text', displayName.slice(0, MAX_DISPLAY_NAME)) }),
      ...(isFields(labels) && Object.keys(labels).length > 0 && { labels: cleanLabels(labels, replacements) }),
      spec: cleanFields(members, 'spec', replacements),
      createdAt: new Date(created).toISOString(),
      ...(typeof createdBy === 'string' && createdBy !== '' && { createdBy: of('person', createdBy) }),
    },
  ];
}

function hasRevisionIds(fields: Fields): boolean {
  const revision = fieldsOf(fieldsOf(fields['spec'])?.['revision']);
  return typeof (revision?.['active'] ?? revision?.['canary']) === 'string';
}
