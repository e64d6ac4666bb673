/** Deletes a preview token immediately. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { dropResource } from '../../state/resources.ts';
import { existing, placeIn } from '../uniform.ts';

export const deleteSandboxPreviewToken: Endpoint<'deleteSandboxPreviewToken'> = (call) => {
  const place = placeIn(call, 'tokens');
  const { name } = existing(call, place);
  dropResource(call.world, place.key, name);
  return ok({ message: `Preview token "${name}" of preview "${call.path.previewName}" is deleted.` });
};
