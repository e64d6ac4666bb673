/** The answer that shows a volume template: that of the deletion of one of its versions, made by the run. */
import type { Run } from '../engine/conforms.ts';
import { isAnswered2xx } from '../target/eventually.ts';
import { removed } from '../kit/provision/short-lived.ts';
import { isFields } from '../json/fields.ts';
import type { Shown } from '../kit/resources/shown.ts';

/** Only where the target has the operations that make one, which the interface does not show. */
export async function templateAnswer(run: Run): Promise<Shown[]> {
  const template = run.newName();
  const input = { body: { metadata: { name: template }, spec: {} } };
  if (!isAnswered2xx(await run.client.call('createVolumeTemplate', input))) return [];
  const path = { volumeTemplateName: template };
  const made = await run.client.call('createVolumeTemplateVersion', { path, body: { name: 'v1' } });
  const shown = isAnswered2xx(made) ? await deletion(run, { ...path, versionName: 'v1' }) : [];
  await removed(run, 'createVolumeTemplate', input);
  return shown;
}

async function deletion(run: Run, path: Record<string, string>): Promise<Shown[]> {
  const exchange = await run.client.call('deleteVolumeTemplateVersion', { path });
  const { json } = exchange.answer;
  if (!isAnswered2xx(exchange) || !isFields(json) || !isFields(json['template'])) return [];
  return [{ exchange, resource: json['template'] }];
}
