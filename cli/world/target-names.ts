/** The names for the target file of a world: those of the deployment's, and else the first resource of each kind. */
import type { KnownResources } from '../../spec/formats/target-file.ts';
import type { IntegrationFile, ResourceFile, TargetNames } from '../../spec/formats/world-file.ts';
import { fieldsOf } from '../../suites/json/fields.ts';

const MAX_NAMES = 10;
const isMk3 = ({ spec }: ResourceFile): boolean => fieldsOf(spec?.['runtime'])?.['generation'] === 'mk3';

export function targetNames(
  resources: readonly ResourceFile[],
  workspace: string,
  known: KnownResources,
  integrations: readonly IntegrationFile[],
): TargetNames['resources'] {
  const own = resources.filter((each) => each.workspace === workspace && each.deletedAt === undefined);
  const namesIn = (collection: string, isWanted: (each: ResourceFile) => boolean = () => true): string[] =>
    own.filter((each) => each.collection === collection && isWanted(each)).map(({ name }) => name);
  const isMail = ({ name }: IntegrationFile): boolean => name === known.mailIntegration || /mail/i.test(name);
  const nested = (form: RegExp): RegExpExecArray[] =>
    own
      .map(({ collection, name }) => form.exec(`${collection}/${name}`))
      .filter((match) => match !== null)
      .slice(0, MAX_NAMES);
  const candidates = {
    agent: namesIn('agents', (each) => !isMk3(each)),
    mk3Agent: namesIn('agents', isMk3),
    model: namesIn('models'),
    function: namesIn('functions'),
    job: namesIn('jobs'),
    sandbox: namesIn('sandboxes'),
    connection: namesIn('integrations/connections'),
    integration: integrations.filter((each) => !isMail(each)).map(({ name }) => name),
    mailIntegration: integrations.filter(isMail).map(({ name }) => name),
  };
  const chosen = Object.entries(candidates).flatMap(([key, names]) => {
    const wanted = known[key as keyof typeof candidates];
    const [name] = wanted !== undefined && names.includes(wanted) ? [wanted] : names;
    return name === undefined ? [] : [[key, name]];
  });
  const volumes = own.filter(
    ({ collection, spec }) => collection === 'volumes' && typeof spec?.['region'] === 'string',
  );
  const volume = volumes.find(({ name }) => name === known.volume?.name) ?? volumes[0];
  const policies = namesIn('policies')
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_NAMES);
  const tokens = nested(/^sandboxes\/([^/]+)\/previews\/([^/]+)\/tokens\/([^/]+)$/);
  const versions = nested(/^volume_templates\/([^/]+)\/versions\/([^/]+)$/);
  return {
    ...(Object.fromEntries(chosen) as TargetNames['resources']),
    ...(volume && { volume: { name: volume.name, region: String(volume.spec?.['region']) } }),
    ...(policies.length > 0 && { policies }),
    ...(tokens.length > 0 && {
      previewTokens: tokens.map(([, sandbox = '', preview = '', token = '']) => ({ sandbox, preview, token })),
    }),
    ...(versions.length > 0 && {
      templateVersions: versions.map(([, template = '', version = '']) => ({ template, version })),
    }),
  };

  function rank(policy: string): number {
    return known.policies?.includes(policy) === true ? 0 : 1;
  }
}
