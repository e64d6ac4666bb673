/** An account of any size with 400 days of past, for tests and measurements of the metrics. */
import type { ResourceType } from '../metrics/dimensions.ts';
import { mix, pick } from '../metrics/hash.ts';
import { metersOf, type Setting } from '../metrics/causes.ts';
import type { Instant, MeteredResource } from '../metrics/meters.ts';
import { trafficPatterns, type Traffic } from '../metrics/usage-patterns.ts';

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
  const end = nth % 10 === 3 ? { end: start + (mix(hash, 1) % 60) * DAY } : {};
  return {
    workspace: WORKSPACES[hash % WORKSPACES.length] ?? 'alpha',
    type,
    name,
    ...(type === 'custom_domain' ? {} : { uuid }),
    meters: metersOf(type, settingsOf(hash, start), { start, ...end }, trafficOf(hash)),
  };
}

/** Some are disabled for days, up to three times. */
function settingsOf(hash: number, start: Instant): Setting[] {
  const setting: Omit<Setting, 'from' | 'serves'> = {
    memory: pick([1, 2, 4, 8, 16], mix(hash, 2)),
    minScale: mix(hash, 3) % 2,
    isAsync: mix(hash, 4) % 2 === 0,
    image: pick([2, 5, 8, 12, 20, 40], mix(hash, 5)),
    size: pick([10, 20, 50, 100, 500], mix(hash, 6)),
  };
  return Array.from({ length: 1 + 2 * (mix(hash, 7) % 4) }, (_, index) => ({
    ...setting,
    from: start + (index === 0 ? 0 : (20 * index + (mix(hash, 8 + index) % 20)) * DAY),
    serves: index % 2 === 0,
  }));
}

/** 32 combinations. */
const trafficOf = (hash: number): Traffic => ({
  requestsPerDay: pick([40, 150, 600, 900, 2400, 7000, 20_000, 60_000], mix(hash, 20)),
  pattern: pick(trafficPatterns, mix(hash, 21)),
});
