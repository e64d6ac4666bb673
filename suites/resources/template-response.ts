/** The only documented response with a volume template: the deletion of one of its versions, which the run creates. */
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { isSuccessful } from '../target/eventually.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import { isFields } from '../json/fields.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';

const deletedVersions = sharedValue<ReturnedResource[]>();

/** Empty unless the target has the undocumented operations that create a template. Requested once per run. */
export const templateResponse = (run: Run): Promise<ReturnedResource[]> =>
  deletedVersions.get(run, () => requestTemplate(run));

async function requestTemplate(run: Run): Promise<ReturnedResource[]> {
  const template = run.newName();
  const input = { body: { metadata: { name: template }, spec: {} } };
  if (!isSuccessful(await run.client.call('createVolumeTemplate', input))) return [];
  const path = { volumeTemplateName: template };
  const made = await run.client.call('createVolumeTemplateVersion', { path, body: { name: 'v1' } });
  const returned = isSuccessful(made) ? await deletion(run, { ...path, versionName: 'v1' }) : [];
  await removeByRequestedName(run, 'createVolumeTemplate', input);
  return returned;
}

async function deletion(run: Run, path: Record<string, string>): Promise<ReturnedResource[]> {
  const exchange = await run.client.call('deleteVolumeTemplateVersion', { path });
  const { json } = exchange.response;
  if (!isSuccessful(exchange) || !isFields(json) || !isFields(json['template'])) return [];
  return [{ exchange, resource: json['template'] }];
}
