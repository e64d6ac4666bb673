/** PUT /_mock/deployments/{collection}/{name}: ends the deployment of a resource now, as deployed or failed. */
import { z } from 'zod';
import { invalidField, notFound } from '../../http/problems.ts';
import { ok } from '../../http/reply.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import type { Place } from '../../domains/resources/kind.ts';
import { kindIds, kinds, placeAt } from '../../domains/resources/kinds.ts';
import { endDeployment } from '../../domains/resources/write.ts';
import { findResource } from '../../state/resources.ts';
import type { World } from '../../world/world.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';

const outcome = z.strictObject({
  status: z.enum(['DEPLOYED', 'FAILED']),
  message: z.string().min(1).describe('Message of the event. Default: one that names this call.').exactOptional(),
});

export type DeploymentOutcome = Readonly<z.infer<typeof outcome>>;

/** @internal */
export const putDeployment: ControlCall<DeploymentOutcome> = {
  query: ['workspace'],
  body: bodyFormat(outcome),
  handle: ({ served: { world }, params: { collection = '', name = '' }, query, body: { status, message } }) => {
    const place = placeOfDeployed(world, collection, query['workspace']);
    const resource = findResource(world, place.key, name);
    if (resource === undefined) throw notFound(place.kind.noun, name);
    const ending = {
      status,
      at: world.clock.now(),
      message: message ?? `The deployment was ended as ${status} by /_mock/deployments.`,
    };
    return ok(resourceBody(world, place, endDeployment(world, place, resource, ending)));
  },
};

/** In the workspace `name`. */
function placeOfDeployed(world: World, collection: string, name = world.target.workspace): Place {
  const workspace = world.workspaces.get(name);
  if (workspace === undefined) throw invalidField('workspace', name, [...world.workspaces.keys()].join(', '));
  const place = placeAt(workspace, collection);
  if (place?.kind.course !== undefined) return place;
  const deployed = kindIds.filter((id) => kinds[id].course !== undefined);
  throw invalidField('the collection', collection, deployed.join(', '));
}
