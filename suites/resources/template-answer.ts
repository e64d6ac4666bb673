/** The answer that shows a volume template: that of the deletion of one of its versions, made by the run. */
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { removeByName } from '../kit/provision/removal.ts';
import { isFields } from '../json/fields.ts';
import type { Shown } from '../kit/resources/shown.ts';

/** Only where the target has the operations that make one, which the interface does not show. */
export async function templateAnswer(run: Run): Promise<Shown[]> {
  const template = run.newName();
  const input = { body: { metadata: { name: template }, spec: {} } };
  if (!isSuccessful(await run.client.call('createVolumeTemplate', input))) return [];
  const path = { volumeTemplateName: template };
  const made = await run.client.call('createVolumeTemplateVersion', { path, body: { name: 'v1' } });
  const shown = isSuccessful(made) ? await deletion(run, { ...path, versionName: 'v1' }) : [];
  await removeByName(run, 'createVolumeTemplate', input);
  return shown;
}

async function deletion(run: Run, path: Record<string, string>): Promise<Shown[]> {
  const exchange = await run.client.call('deleteVolumeTemplateVersion', { path });
  const { json } = exchange.response;
  if (!isSuccessful(exchange) || !isFields(json) || !isFields(json['template'])) return [];
  return [{ exchange, resource: json['template'] }];
}
