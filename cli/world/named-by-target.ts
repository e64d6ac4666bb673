/** The resources that a target file names and no response shows. */
import type { KnownResources } from '../../spec/formats/target-file.ts';
import type { KindId } from '../../mock/domains/resources/kind.ts';
import type { DeploymentResource } from './response-contents.ts';

const mcp = { type: 'mcp', runtime: { type: 'mcp' } };

export function namedByTarget(
  known: KnownResources,
  resources: readonly DeploymentResource[],
  note?: (what: string) => void,
): DeploymentResource[] {
  const {
    agent,
    mk3Agent,
    model,
    function: tools,
    job,
    sandbox,
    volume,
    connection,
    integration,
    policies = [],
  } = known;
  const named: [KindId, string, string | undefined, object?][] = [
    ['agents', 'agents', agent, { runtime: { generation: 'mk2' } }],
    ['agents', 'agents', mk3Agent, { runtime: { generation: 'mk3' } }],
    ['models', 'models', model],
    ['functions', 'functions', tools, mcp],
    ['jobs', 'jobs', job],
    ['sandboxes', 'sandboxes', sandbox],
    ['volumes', 'volumes', volume?.name, { region: volume?.region }],
    ['integrations/connections', 'integrations/connections', connection, integration && { integration }],
    ...policies.map((each): (typeof named)[number] => ['policies', 'policies', each]),
    ...(known.previewTokens ?? []).flatMap((each): typeof named => [
      ['sandboxes', 'sandboxes', each.sandbox],
      ['previews', `sandboxes/${each.sandbox}/previews`, each.preview],
      ['tokens', `sandboxes/${each.sandbox}/previews/${each.preview}/tokens`, each.token],
    ]),
    ...(known.templateVersions ?? []).flatMap((each): typeof named => [
      ['volume_templates', 'volume_templates', each.template],
      ['versions', `volume_templates/${each.template}/versions`, each.version],
    ]),
  ] as [KindId, string, string | undefined, object?][];
  const found = new Set(resources.map(({ collection, name }) => `${collection}/${name}`));
  return named.flatMap(([kind, collection, name, spec = {}]): DeploymentResource[] => {
    if (name === undefined || found.has(`${collection}/${name}`)) return [];
    found.add(`${collection}/${name}`);
    note?.(`${kind} that only the target file names, except their names`);
    return [{ kind, collection, name, fields: { metadata: { name }, spec } }];
  });
}
