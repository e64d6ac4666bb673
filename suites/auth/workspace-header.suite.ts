/**
 * The effect of creates with an API key if the workspace header is absent or, if the target allows it, names another
 * workspace.
 */
import { headerNames } from '../../spec/brand.ts';
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { createOperations, plainMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { acceptedWrite, isRepeatable } from '../kit/provision/writes.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import type { HeaderInput } from '../target/request-types.ts';
import { describeCreation } from '../target/creations.ts';

observes('auth.workspace-header.missing-or-other', async (run) => {
  const name = headerNames(run.target.brand).workspace;
  const removable: CreateOperation[] = [];
  for (const create of createOperations(run)) {
    if ((await undefinedIfNotTried(acceptedWrite(run, create))) !== undefined && isRepeatable(run, create))
      removable.push(create);
  }
  run.need(removable.length > 0, 'a resource that the run can create and remove in any workspace');
  // The target file does not name the other workspace, so a run only creates resources in it with allow: destroy.
  const other = run.target.allow === 'destroy' ? await otherWorkspace(run) : undefined;
  const observe = async ({ id }: Pick<CreateOperation, 'id'>) => {
    const create = removable.find((each) => each.id === id)!;
    run.observe(`${create.id} without the header`, await observedCreate(run, create, { [name]: undefined }));
    run.observe(
      `${create.id} with an unknown workspace`,
      await observedCreate(run, create, { [name]: run.unknownName }),
    );
    if (other !== undefined)
      run.observe(`${create.id} with another workspace`, await observedCreate(run, create, { [name]: other }));
    return [];
  };
  await run.forEach(
    removable.map(({ id }) => ({ id })),
    observe,
  );
});

/** Creates and removes with the same header, so that the removal reaches the same workspace. */
async function observedCreate(run: Run, { id, input }: CreateOperation, headers: HeaderInput) {
  const as = run.as('apiKey');
  const sent = input(plainMetadata(run));
  const exchange = await as.call(id, { ...sent, headers });
  const removal = describeCreation(id, sent)?.removal;
  if (isSuccessful(exchange) && removal !== undefined)
    await as.call(removal.operation, { path: removal.path, headers });
  return { status: exchange.response.status, ...observedWorkspace(run, exchange) };
}

function observedWorkspace({ target }: Run, exchange: Exchange) {
  const { workspace } = metadataIn(exchange.response.json);
  if (!isSuccessful(exchange) || workspace === undefined) return {};
  return { workspace: workspace === target.workspace ? 'of the target' : 'another' } as const;
}

/** Of those that the target lists, which is documented nowhere. */
async function otherWorkspace(run: Run): Promise<string | undefined> {
  const { response } = await run.as('apiKey').call('listWorkspaces');
  const listed = Array.isArray(response.json) ? (response.json as { metadata?: { name?: unknown } }[]) : [];
  const names = listed.map((each) => each?.metadata?.name ?? (each as { name?: unknown })?.name);
  return names.find((name): name is string => typeof name === 'string' && name !== run.target.workspace);
}
