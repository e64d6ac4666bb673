/** An account of any size with 400 days of past, for tests and measurements of the metrics. */
import type { ResourceType } from '../metrics/dimensions.ts';
import { mix } from '../metrics/hash.ts';
import { metersFor, stopMeters, type Instant, type MeteredResource } from '../metrics/meters.ts';

const DAY = 86_400_000;
const TYPES: readonly ResourceType[] = ['sandbox', 'agent', 'job', 'mcp_server', 'volume', 'custom_domain'];
const WORKSPACES = ['alpha', 'beta', 'gamma'];

/** One resource in ten was deleted on the way; one in eight has the name of another in another workspace. */
export function sampleAccount(count: number, seed: number, now: Instant, pastDays = 400): MeteredResource[] {
  return Array.from({ length: count }, (_, nth) => sampleResource(nth, seed, now, pastDays));
}

function sampleResource(nth: number, seed: number, now: Instant, pastDays: number): MeteredResource {
  const hash = mix(seed, nth);
  const type = TYPES[nth % TYPES.length] ?? 'agent';
  const name = nth % 8 === 0 ? `shared-${(nth / 8) % 2}` : `${type.replace('_', '-')}-${nth}`;
  const start = now - (hash % (pastDays * 24)) * 3_600_000 - (hash % 3600) * 1000;
  const uuid = `00000000-0000-4000-8000-${nth.toString(16).padStart(12, '0')}`;
  const resource: MeteredResource = {
    workspace: WORKSPACES[hash % WORKSPACES.length] ?? 'alpha',
    type,
    name,
    ...(type === 'custom_domain' ? {} : { uuid }),
    meters: metersFor(type, seed, uuid, { start }),
  };
  return nth % 10 === 3 ? stopMeters(resource, start + (mix(hash, 1) % 60) * DAY) : resource;
}
