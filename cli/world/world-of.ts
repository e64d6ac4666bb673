/** Builds the content of a world file from responses of a deployment, without secrets and personal data. */
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import { integrations as knownIntegrations } from '../../fixtures/worlds/integrations.ts';
import { kindIds, kinds } from '../../mock/domains/resources/kinds.ts';
import type { KindId } from '../../mock/domains/resources/kind.ts';
import type { KnownResources } from '../../spec/formats/target-file.ts';
import type { CallerFile, IntegrationFile, ResourceFile, WorldFile } from '../../spec/formats/world-file.ts';
import { mailSecretKeys } from '../../spec/values.ts';
import { fieldsOf, isFields, type Fields } from '../../suites/json/fields.ts';
import { metadataIn } from '../../suites/json/metadata-in.ts';
import { cleanFields, cleanLabels } from './clean-fields.ts';
import { fitResources } from './fit-resources.ts';
import { namedByTarget } from './named-by-target.ts';
import { meteredUsage, type Metered, type MeteredUsage } from './metered-usage.ts';
import { createReplacements, type Replacements } from './replacements.ts';
import {
  listIn,
  nameOf,
  pathSegments,
  shownResources,
  workspaceOf,
  type Shown,
  type ShownResource,
  type ShownResponse,
} from './shown-resources.ts';
import { targetNames } from './target-names.ts';

export interface AboutDeployment {
  /** As in its target file. */
  readonly account?: string;
  readonly workspace?: string;
  readonly resources: KnownResources;
  /** Milliseconds since 1970: the world starts at this time or later. */
  readonly takenAt: number;
  /** Whether a text contains a credential of the deployment. */
  readonly isSecret: (text: string) => boolean;
  /** Whether the world has the usage that the metrics show. Default: true. */
  readonly hasUsage?: boolean;
}

export interface BuiltWorld {
  readonly file: WorldFile;
  /** The number of resources that responses show. */
  readonly shownCount: number;
  /** What the file cannot say, by kind, with counts: a sentence each. */
  readonly remarks: readonly string[];
}

interface Context {
  readonly about: AboutDeployment;
  readonly replacements: Replacements;
  readonly note: (what: string, count?: number) => void;
  /** The workspace of what names none. */
  readonly workspace: string;
}

const name = /^[a-z0-9-]{1,49}$/;
const MAX_DISPLAY_NAME = 63;
const region = /^[a-z0-9-]{1,63}$/;
const word = /^[\w.-]{1,63}$/;

/** The same responses give the same file. Everything that it has is accepted by the mock. */
export function worldOf(responses: readonly ShownResponse[], about: AboutDeployment): BuiltWorld {
  const counts = new Map<string, number>();
  const note = (what: string, count = 1): void => void counts.set(what, (counts.get(what) ?? 0) + count);
  const replacements = createReplacements(about.isSecret);
  const shown = shownResources(responses);
  const context: Context = {
    about: { ...about, ...accountIn(responses, about.account) },
    replacements,
    note,
    workspace: mainWorkspace(shown, about, replacements),
  };
  const metered = meteredUsage(responses, about.takenAt);
  const resources = [...shown.resources, ...namedByTarget(about.resources, shown.resources, note)].filter(
    ({ kind }) => kind !== 'workspaces',
  );
  const live = resources.toSorted(inOrderOfCreation).flatMap((each) => resourceFile(each, context));
  const places = placesOf(shown, live, metered, context);
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
  for (const [id, count] of shown.others) if (!usedOperations.has(id)) note(`responses of ${id}`, count);
  const target = { ...unfitted.target, client: people.clients[0]!.id };
  return {
    file: {
      ...unfitted,
      resources: fitted,
      target: { ...target, resources: targetNames(fitted, context.workspace, about.resources, integrations) },
    },
    shownCount: shown.resources.length,
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
function accountIn(responses: readonly ShownResponse[], given: string | undefined): { account?: string } {
  const query = responses.find((each) => each.operation === 'getAccountMetrics');
  const account = given ?? (query && pathSegments(query.path)[1]);
  return account === undefined ? {} : { account };
}

function mainWorkspace({ resources }: Shown, { workspace }: AboutDeployment, { kept, of }: Replacements): string {
  const named = resources.flatMap(({ kind, name: own, fields }) =>
    kind === 'workspaces' ? own : (workspaceOf(fields) ?? []),
  );
  const [most = 'main'] = Map.groupBy(named, (each) => each)
    .entries()
    .toArray()
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([each]) => each);
  const main = workspace ?? most;
  return kept(main, name) ?? of('name', main);
}

/** Volumes before the agents that mount them, and so on. */
const creationOrder: readonly KindId[] = ['policies', 'volumes', 'vpcs', 'integrations/connections', ...kindIds];

const inOrderOfCreation = (a: ShownResource, b: ShownResource): number =>
  creationOrder.indexOf(a.kind) - creationOrder.indexOf(b.kind);

function resourceFile({ kind, collection, name: own, fields }: ShownResource, context: Context): ResourceFile[] {
  const { replacements, note, about } = context;
  const { kept, of } = replacements;
  const metadata = metadataIn(fields);
  const { displayName, labels, createdBy } = metadata;
  if (typeof fields['status'] === 'string' && fields['status'] !== 'DEPLOYED')
    note(`${kind} whose status is not DEPLOYED, except as deployed`);
  if (hasRevisionIds(fields)) note(`${kind} with ids of revisions, except without them`);
  if (kept(own, name) === undefined) note(`${kind} with a name that the format does not allow, except by another name`);
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

const keptName = (own: string, { replacements: { kept, of } }: Context): string =>
  kept(own, /^[a-z0-9_-]{1,49}$/) ?? of('name', own);

const ownWorkspace = (own: string | undefined, { workspace, replacements: { kept, of } }: Context): string =>
  own === undefined ? workspace : (kept(own, name) ?? of('name', own));

/** A deployment's clock may be ahead, or its form of times unknown: an hour ago, so that the resource is deployed. */
function createdAtOf({ createdAt }: Fields, takenAt: number): number {
  const instant = typeof createdAt === 'string' ? Date.parse(createdAt) : NaN;
  return instant < takenAt ? Math.max(instant, 0) : takenAt - 3_600_000;
}

const kindOfType: ReadonlyMap<string, KindId> = new Map(
  kindIds.flatMap((id) => (kinds[id].meteredAs === undefined ? [] : [[kinds[id].meteredAs, id] as const])),
);

/** Adds the usage to the resources; that of others, and from before their creation, to deleted resources. */
function withUsage(live: readonly ResourceFile[], { usage, isKnown }: Metered, context: Context): ResourceFile[] {
  if (!isKnown) return [...live];
  const { note } = context;
  const placeOf = (each: MeteredUsage): string =>
    [ownWorkspace(each.workspace, context), kindOfType.get(each.resourceType), keptName(each.name, context)].join(' ');
  const byPlace = Map.groupBy(usage, placeOf);
  const dated = (each: MeteredUsage) => ({
    dimension: each.dimension,
    from: new Date(each.from).toISOString(),
    to: new Date(each.to).toISOString(),
    amount: each.amount,
  });
  const metered = live.map((resource): ResourceFile => {
    if (![...kindOfType.values()].some((id) => kinds[id].collection === resource.collection)) return resource;
    const place = `${resource.workspace} ${resource.collection} ${resource.name}`;
    const [own = [], before = []] = partition(
      byPlace.get(place) ?? [],
      ({ from }) => Date.parse(resource.createdAt!) <= from,
    );
    if (before.length === 0) byPlace.delete(place);
    else byPlace.set(place, before);
    return { ...resource, isUsageComplete: true, ...(own.length > 0 && { usage: own.map(dated) }) };
  });
  const past = [...byPlace].map(([place, own]): ResourceFile => {
    const [workspace = '', collection = '', ownName = ''] = place.split(' ');
    const isThere = live.some(
      (each) => each.workspace === workspace && each.collection === collection && each.name === ownName,
    );
    if (!isThere) note(`${collection} that only the metrics name, except as deleted ones with their usage`);
    const [from, to] = [Math.min(...own.map((each) => each.from)), Math.max(...own.map((each) => each.to))];
    const [createdAt, deletedAt] = [new Date(from).toISOString(), new Date(to).toISOString()];
    return { workspace, collection, name: ownName, createdAt, deletedAt, isUsageComplete: true, usage: own.map(dated) };
  });
  return [...metered, ...past];
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** The account first whose workspace is described. */
function placesOf(
  shown: Shown,
  live: readonly ResourceFile[],
  { usage }: Metered,
  context: Context,
): Pick<WorldFile, 'accounts' | 'workspaces'> {
  const { about, replacements, workspace } = context;
  const plan = shown.resources.map(({ fields }) => metadataIn(fields)['plan']).find((each) => typeof each === 'string');
  const id =
    about.account === undefined
      ? 'acc-1'
      : (replacements.kept(about.account, word) ?? replacements.of('name', about.account));
  const listed = new Map(
    shown.resources
      .filter(({ kind }) => kind === 'workspaces')
      .map((each) => [ownWorkspace(each.name, context), each.fields]),
  );
  const names = new Set([
    workspace,
    ...listed.keys(),
    ...live.map((each) => each.workspace),
    ...usage.map((each) => ownWorkspace(each.workspace, context)),
  ]);
  return {
    accounts: [{ id, displayName: 'Account 1', plan: replacements.kept(plan ?? '', word) ?? 'team' }],
    workspaces: [...names].map((each) => ({
      name: each,
      account: id,
      region: regionOf(each, listed.get(each), live, replacements),
      createdAt: new Date(
        createdAtOf(
          metadataIn(listed.get(each)),
          Math.min(about.takenAt, ...live.map((own) => Date.parse(own.createdAt!))),
        ),
      ).toISOString(),
    })),
  };
}

/** The one that is shown, or else that of a resource in the workspace. */
function regionOf(
  workspace: string,
  fields: Fields | undefined,
  live: readonly ResourceFile[],
  { kept }: Replacements,
): string {
  const regions = [
    fieldsOf(fields?.['spec']),
    ...live.filter((each) => each.workspace === workspace).map(({ spec }) => spec),
  ];
  return (
    regions.map((spec) => kept(String(spec?.['region'] ?? ''), region)).find((each) => each !== undefined) ?? 'local'
  );
}

/** Callers, credentials and the OAuth clients of the default world: what a deployment has of them, it does not show. */
function peopleOf(live: readonly ResourceFile[], { accounts, workspaces }: Pick<WorldFile, 'accounts' | 'workspaces'>) {
  const base = defaultWorld(1, 0);
  const account = accounts[0]!.id;
  const own = base.callers.filter((each) => each.account === base.target.account);
  const asIn = (caller: CallerFile): CallerFile => ({
    ...caller,
    account,
    workspaces: workspaces.map((each) => ({ name: each.name, role: caller.workspaces[0]!.role })),
  });
  const ids = new Set(own.map(({ id }) => id));
  const creators = new Set(live.flatMap(({ createdBy }) => createdBy ?? []));
  return {
    callers: [
      ...own.map(asIn),
      ...[...creators].map((id): CallerFile => ({
        id,
        kind: 'user',
        account,
        accountRole: 'account-member',
        workspaces: [],
      })),
    ],
    credentials: base.credentials.filter(({ caller }) => ids.has(caller)),
    clients: base.clients ?? [],
  };
}

const shownMembers = {
  organizations: ['avatar_url', 'displayName', 'id', 'name'],
  repositories: ['id', 'isBl', 'name', 'organization', 'url'],
} as const;

/** Those that are shown, and those that connections or the target file name. */
function integrationsOf(
  responses: readonly ShownResponse[],
  live: readonly ResourceFile[],
  { about, replacements, note }: Context,
): IntegrationFile[] {
  const bodies = new Map<string, Fields>();
  for (const { operation, path, json } of responses) {
    const own = operation === 'getIntegration' ? [[pathSegments(path)[1]!, json] as const] : [];
    const listed = operation === 'listIntegrations' ? (listIn(json) ?? []) : [];
    for (const [ownName, body] of [...own, ...listed.map((each) => [nameOf(each) ?? '', each] as const)])
      if (isFields(body)) bodies.set(ownName, { ...bodies.get(ownName), ...body });
  }
  const { integration, mailIntegration } = about.resources;
  const named = [integration, mailIntegration, ...live.map(({ spec }) => spec?.['integration'])];
  for (const each of named) if (typeof each === 'string' && !bodies.has(each)) bodies.set(each, {});
  return [...bodies].flatMap(([own, body]): IntegrationFile[] => {
    const ownName = replacements.kept(own, word);
    if (ownName === undefined) {
      note('integrations with a name that is not plain');
      return [];
    }
    const objects = ['additionalInfos', 'endpoints', 'headers', 'params'].filter((key) => isFields(body[key]));
    const lists = Object.entries(shownMembers).filter(([key]) => Array.isArray(body[key]));
    const known = knownIntegrations.find((each) => each.name === ownName);
    const isMail = ownName === mailIntegration || /mail/i.test(ownName);
    return [
      {
        name: ownName,
        secretKeys: known?.secretKeys ?? (isMail ? mailSecretKeys : []),
        ...Object.fromEntries(objects.map((key) => [key, cleanFields(body[key] as Fields, key, replacements)])),
        ...Object.fromEntries(
          lists.map(([key, members]) => [
            key,
            (body[key] as unknown[])
              .filter(isFields)
              .map((item) => picked(cleanFields(item, key, replacements), members)),
          ]),
        ),
      },
    ];
  });
}

const picked = (fields: Fields, members: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => members.includes(key) && ['string', 'boolean'].includes(typeof value),
    ),
  );

/** A response may show no secrets of a connection, which the mock requires. */
function withSecrets(resources: readonly ResourceFile[], integrations: readonly IntegrationFile[]): ResourceFile[] {
  return resources.map((resource) => {
    const needed = integrations.find((each) => each.name === resource.spec?.['integration'])?.secretKeys ?? [];
    if (resource.collection !== 'integrations/connections' || needed.length === 0) return resource;
    const secret = {
      ...Object.fromEntries(needed.map((key) => [key, 'secret-of-the-world'])),
      ...fieldsOf(resource.spec?.['secret']),
    };
    return { ...resource, spec: { ...resource.spec, secret } };
  });
}
