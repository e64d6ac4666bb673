/** Deletes a version of a volume template, and returns the template without it. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import { dropResource } from '../../state/resources.ts';
import { templateBody } from '../../domains/resources/volume-templates.ts';
import { existing, placeIn } from '../uniform.ts';

export const deleteVolumeTemplateVersion: Endpoint<'deleteVolumeTemplateVersion'> = (call) => {
  const versions = placeIn(call, 'versions');
  const { name } = existing(call, versions);
  dropResource(call.world, versions.key, name);
  const templates = placeOf('volume_templates', call.workspace);
  const template = existing(call, templates);
  return ok({
    message: `Version "${name}" of volume template "${template.name}" is deleted.`,
    template: templateBody(call.world, templates, template),
  });
};
