/** management.undocumented.*: responses of the management API whose shape or status is undocumented. */
import type { WhatOf } from '../../spec/observations/observation.ts';
import type { OperationId } from '../../spec/operations.ts';
import { deepShape } from '../expect/body-shape.ts';
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { createOperations, plainMetadata } from '../kit/provision/creates.ts';
import { withPlace } from '../kit/provision/places.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import { firstWrite, isRepeatable, performWrite } from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';

observes('management.undocumented.answer-shapes', async (run) => {
  run.observe('the list of accounts', observedShape(await run.client.call('listAccounts')));
  run.need(run.target.allow !== 'read', 'write');
  for (const create of createOperations(run).filter(({ id }) => id !== 'createVpc')) {
    const { exchange, input, read } = await firstWrite(run, create);
    run.observe(`the response of ${create.id}`, observedShape(exchange));
    const secrets = secretsIn(input);
    if (secrets.length > 0 && isSuccessful(exchange))
      run.observe(`the secrets in the response of ${create.id}`, repeated(exchange, secrets));
    if (secrets.length > 0 && read !== undefined)
      run.observe(`the secrets in a read of what ${create.id} created`, repeated(read, secrets));
  }
});

/** Members at two levels, which stay the same from run to run. */
function observedShape({ response }: Exchange) {
  const { status } = response;
  return status < 200 || status > 299 ? { status } : { body: deepShape(response, 2) };
}

function secretsIn({ body }: CallInput): string[] {
  const { secret } = (body as { spec: { secret?: Record<string, string> } }).spec;
  return Object.values(secret ?? {});
}

function repeated({ response: { text } }: Exchange, secrets: readonly string[]) {
  return { repeated: secrets.filter((secret) => text.includes(secret)).length, of: secrets.length };
}

observes('management.undocumented.statuses', async (run) => {
  const paths = unknownPaths(run);
  const observePath = async ([what, id, path]: UnknownPath) =>
    run.observe(what, { status: (await run.client.call(id, { path })).response.status });
  const observations: readonly (() => Promise<void>)[] = [
    ...paths.map((path) => () => observePath(path)),
    ...(run.target.allow === 'read' ? [] : [() => observeUnknownNames(run)]),
  ];
  const observe = async (index: number) => {
    await observations[index]!();
    return [];
  };
  await run.forEach([...observations.keys()], observe, { sequential: true });
  run.need(run.target.allow !== 'read', 'write');
});

type UnknownPath = readonly [
  what: WhatOf<'management.undocumented.statuses'>,
  id: OperationId,
  path: Record<string, string>,
];

function unknownPaths({ unknownName: unknown, target }: Run): UnknownPath[] {
  const { sandbox = unknown, previewTokens: [token] = [], templateVersions: [version] = [] } = target.resources;
  const read: UnknownPath = ['an unknown integration', 'getIntegration', { integrationName: unknown }];
  if (target.allow === 'read') return [read];
  const ofToken = (sandboxName: string, previewName: string) =>
    ['deleteSandboxPreviewToken', { sandboxName, previewName, tokenName: unknown }] as const;
  const ofTemplate = (volumeTemplateName: string) =>
    ['deleteVolumeTemplateVersion', { volumeTemplateName, versionName: unknown }] as const;
  return [
    read,
    ['a version of an unknown template', ...ofTemplate(unknown)],
    ['a preview token of an unknown sandbox', ...ofToken(unknown, unknown)],
    ...(sandbox === unknown ? [] : [['a token of an unknown preview', ...ofToken(sandbox, unknown)] as const]),
    ...(token === undefined
      ? []
      : [['an unknown token of a preview', ...ofToken(token.sandbox, token.preview)] as const]),
    ...(version === undefined ? [] : [['an unknown version of a template', ...ofTemplate(version.template)] as const]),
  ];
}

/** Not sent if such a create might be accepted and could not be removed. */
async function observeUnknownNames(run: Run): Promise<void> {
  const unknown = run.unknownName;
  const kind = (id: OperationId) => createOperations(run).find((create) => create.id === id);
  const [connections, functions] = [kind('createIntegrationConnection'), kind('createFunction')];
  if (connections !== undefined && (await isRemovable(run, connections)))
    run.observe(
      'a connection to an unknown integration',
      await statusNaming(run, connections, { integration: unknown }),
    );
  if (functions === undefined || !(await isRemovable(run, functions))) return;
  const naming = (...names: string[]) => statusNaming(run, functions, { integrationConnections: names });
  run.observe('a function that names an unknown connection', await naming(unknown));
  if (connections === undefined || !isRepeatable(run, connections)) return;
  const { name, displayName } = plainMetadata(run);
  await performWrite(run, connections, { name, displayName });
  run.observe('a function that names a connection just removed', await naming(name));
  const second = plainMetadata(run);
  const input = connections.input(second);
  if (!isSuccessful(await run.client.call(connections.id, input))) return;
  const { connection } = run.target.resources;
  if (connection !== undefined)
    run.observe('a function that names two connections', await naming(connection, second.name));
  const removeConnection = () => removeByRequestedName(run, connections.id, input);
  await observeRemovalInUse(run, inputNaming(run, functions, [second.name]), removeConnection);
  await removeConnection();
}

/** `input`: of a function that names the connection. */
function observeRemovalInUse(
  run: Run,
  input: CallInput,
  removeConnection: () => Promise<Exchange | undefined>,
): Promise<void> {
  return withPlace(run, async () => {
    if (!isSuccessful(await run.client.call('createFunction', input))) return;
    const removed = await removeConnection();
    if (removed !== undefined)
      run.observe('a removal of a connection that a function names', { status: removed.response.status });
    await removeByRequestedName(run, 'createFunction', input);
  });
}

function inputNaming(run: Run, functions: Write, names: readonly string[]): CallInput {
  const { spec } = functions.input({}).body as { spec: object };
  return functions.input(plainMetadata(run), { spec: { ...spec, integrationConnections: names } });
}

async function isRemovable(run: Run, write: Write): Promise<boolean> {
  await firstWrite(run, write);
  return isRepeatable(run, write);
}

async function statusNaming(run: Run, create: Write, named: object) {
  const { spec } = create.input({}).body as { spec: object };
  const { exchange } = await performWrite(run, create, plainMetadata(run), { more: { spec: { ...spec, ...named } } });
  return { status: exchange.response.status };
}
