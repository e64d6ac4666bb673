/** The account, the workspaces, and who may call the mock. */
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { CallerFile, ResourceFile, WorldFile } from '../../spec/formats/world-file.ts';
import { fieldsOf, type Fields } from '../../suites/json/fields.ts';
import { metadataIn } from '../../suites/json/metadata-in.ts';
import { createdAtOf, ownWorkspace, regionForm, wordForm, type Context } from './context.ts';
import type { Metered } from './metered-usage.ts';
import type { Replacements } from './replacements.ts';
import type { ResponseContents } from './response-contents.ts';

/** The account first whose workspace is described. */
export function placesOf(
  contents: ResponseContents,
  live: readonly ResourceFile[],
  { usage }: Metered,
  context: Context,
): Pick<WorldFile, 'accounts' | 'workspaces'> {
  const { about, replacements, workspace } = context;
  const plan = contents.resources
    .map(({ fields }) => metadataIn(fields)['plan'])
    .find((each) => typeof each === 'string');
  const id =
    about.account === undefined
      ? 'acc-1'
      : (replacements.kept(about.account, wordForm) ?? replacements.of('name', about.account));
  const listed = new Map(
    contents.resources
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
    accounts: [{ id, displayName: 'Account 1', plan: replacements.kept(plan ?? '', wordForm) ?? 'team' }],
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

/** The one that a response has, or else that of a resource in the workspace. */
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
  const named = regions.map((spec) => spec?.['region']).filter((each) => typeof each === 'string');
  return named.find((each) => kept(each, regionForm) !== undefined) ?? 'local';
}

/** Callers, credentials and the OAuth clients of the default world: what a deployment has of them, it does not show. */
export function peopleOf(
  live: readonly ResourceFile[],
  { accounts, workspaces }: Pick<WorldFile, 'accounts' | 'workspaces'>,
) {
  const base = defaultWorld(1, 0);
  const account = accounts[0]!.id;
  const own = base.callers.filter((each) => each.account === base.target.account);
  const asIn = (caller: CallerFile): CallerFile => ({
    ...caller,
    account,
    workspaces: workspaces.map((each) => ({ name: each.name, role: caller.workspaces[0]!.role })),
  });
  const ids = new Set(own.map(({ id }) => id));
  const creators = new Set(
    live.flatMap(({ createdBy }) => (createdBy === undefined || ids.has(createdBy) ? [] : createdBy)),
  );
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
