/** GET /_mock/openapi.json: where the OpenAPI documents of the API are, with this mock as their server. */
import { surfaces, type Surface } from '../../../spec/openapi-document.ts';
import { ok } from '../../http/reply.ts';
import type { World } from '../../world/world.ts';
import type { ControlCall } from './control-call.ts';

/** Below the address of a world. */
export const documentPath = (surface: Surface): string => `/_mock/docs/${surface}.json`;

export function documentUrls({ addresses: { host } }: World): Record<Surface, string> {
  return Object.fromEntries(surfaces.map((each) => [each, host + documentPath(each)])) as Record<Surface, string>;
}

export const getOpenapi: ControlCall = { handle: ({ served: { world } }) => ok({ documents: documentUrls(world) }) };
