/** Previews of sandboxes: their URL, and whether a token opens it. */
import { timingSafeEqual } from 'node:crypto';
import { parseInstant } from '../../../spec/rfc3339.ts';
import { listResources, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import { envelope, type Envelope } from './envelope.ts';
import type { Place } from './kind.ts';
import { booleanMember, type Rule } from './rules/rule.ts';
import { invalidField } from '../../http/problems.ts';

/** Below `/_mock`, but with the access rules of the preview. */
export const PREVIEWS_PATH = '/_mock/previews';

const MAX_PORT = 65_535;

export const checkPreview: Rule = ({ spec }) => {
  booleanMember(spec, 'public');
  const { port } = spec;
  if (port === undefined || (Number.isInteger(port) && Number(port) >= 1 && Number(port) <= MAX_PORT)) return;
  throw invalidField('spec.port', port, `a whole number from 1 to ${MAX_PORT}`);
};

/** With the address at which the preview is served. */
export function previewBody(world: WorldState, place: Place, preview: Resource): Envelope {
  const { workspace, path } = place;
  const body = envelope(world, place, preview);
  const url = `${world.addresses.host}${PREVIEWS_PATH}/${workspace.name}/${path['sandboxName']}/${preview.name}`;
  return { ...body, spec: { ...body.spec, url } };
}

/** Whether one of the preview's tokens has this value and has not expired. `key`: the key of the preview's collection. */
export function opensPreview(world: WorldState, key: string, preview: string, value: string): boolean {
  return listResources(world, `${key}/${preview}/tokens`).some(
    ({ spec }) => isEqual(String(spec['token']), value) && !hasExpired(spec['expiresAt'], world.clock.now()),
  );
}

function isEqual(known: string, sent: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(sent)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `expiresAt` is exclusive, and a timestamp or undefined. */
function hasExpired(expiresAt: unknown, now: number): boolean {
  return typeof expiresAt === 'string' && (parseInstant(expiresAt) ?? -Infinity) <= now;
}
