/** What causes usage: the table of the billing dimensions, and the meters of a resource computed from it. */
import { dimensionRow, dimensionsOf, type BillingDimension, type ResourceType } from './dimensions.ts';
import type { Instant, Meter, Span } from './meters.ts';
import type { Traffic } from './usage-patterns.ts';

/** What a resource is from an instant on. Sizes are rounded up to whole steps. */
export interface Setting {
  readonly from: Instant;
  /** Whether it is deployed and enabled. */
  readonly serves: boolean;
  /** Whether it is a sandbox that sleeps, whose memory is stored as a snapshot. */
  readonly sleeps?: boolean;
  /** Memory of an instance, in steps of 256 MB. */
  readonly memory: number;
  /** Instances that run without a request. */
  readonly minScale: number;
  /** Memory of the instances that its canary keeps warm, in steps of 256 MB; absent: none. */
  readonly canaryMemory?: number;
  /** Whether its requests go through a trigger of type http-async. */
  readonly isAsync: boolean;
  /** Size of its image, in steps of 100 MB. */
  readonly image: number;
  /** Size of a volume, in steps of 100 MB. */
  readonly size: number;
}

type Use = Pick<Meter, 'use' | 'weight'>;
type Uses = (setting: Setting, traffic: Traffic | undefined) => readonly (Use | false)[];

interface Cause {
  /** What is billed, in a phrase; calls are metered one by one (mock/domains/resources/uses.ts). */
  readonly because: string;
  /** What is billed of a setting and of synthetic traffic. */
  readonly uses: Uses;
}

const steady = (weight: number): Use => ({ use: 'steady', weight });
const instances: Uses = ({ serves, minScale, memory, canaryMemory = 0 }) => [
  serves && steady(minScale * memory + canaryMemory),
];
/** A second of an instance each. They wake up a sandbox that sleeps. */
const requests: Uses = ({ serves, sleeps = false, memory }, traffic) => [
  (serves || sleeps) && traffic !== undefined && { use: traffic, weight: memory },
];

const image: Cause = {
  because: 'the size of the image × the time it exists',
  uses: ({ image: size }) => [steady(size)],
};
const compute = (call: string): Cause => ({
  because: `memory × duration of each ${call}; \`minScale\` × memory while deployed and enabled`,
  uses: (setting, traffic) => [...instances(setting, traffic), ...requests(setting, traffic)],
});

export const causes: Readonly<Record<BillingDimension, Cause>> = {
  agent_compute_runtime_gbs: compute('request'),
  agent_image_storage_gbs: image,
  agent_async_requests_count: {
    because: 'each request accepted by an enabled trigger of type `http-async`',
    uses: ({ serves, isAsync }, traffic) => [serves && isAsync && traffic !== undefined && { use: traffic, weight: 1 }],
  },
  mcp_server_compute_runtime_gbs: compute('request to the MCP server'),
  mcp_server_image_storage_gbs: image,
  job_compute_runtime_gbs: { because: 'memory × duration of each task', uses: requests },
  job_image_storage_gbs: image,
  sandbox_compute_runtime_gbs: {
    because: 'memory × the time it runs; with traffic it runs only for each request',
    uses: (setting, traffic) =>
      traffic === undefined ? [setting.serves && steady(setting.memory)] : requests(setting, traffic),
  },
  sandbox_image_storage_gbs: image,
  sandbox_snapshot_storage_gbs: {
    because: 'the size of its memory × the time it sleeps; with traffic, × the time it exists',
    uses: ({ serves, sleeps = false, memory }, traffic) => [
      (sleeps || (serves && traffic !== undefined)) && steady(memory * SNAPSHOT_STEPS),
    ],
  },
  volume_storage_gbs: { because: 'its size × the time it exists', uses: ({ size }) => [steady(size)] },
  custom_domain_active_time_hours: {
    because: 'the time it is deployed',
    uses: ({ serves }) => [serves && steady(1)],
  },
};

/** 256 MB of memory in steps of 100 MB, rounded up. */
const SNAPSHOT_STEPS = 3;

/**
 * The meters of a resource that exists during `span`. `settings`: in order of `from`; each is valid until the next one.
 */
export function metersOf(
  type: ResourceType,
  settings: readonly Setting[],
  span: Span,
  traffic: Traffic | undefined,
): Meter[] {
  return dimensionsOf(type).flatMap((dimension) => {
    const meters: (Meter & { readonly spans: Span[] })[] = [];
    for (const [index, setting] of settings.entries()) {
      const own = spanOf(setting, settings[index + 1], span);
      if (own === undefined) continue;
      for (const use of causes[dimension].uses(setting, traffic)) {
        if (use === false || use.weight === 0) continue;
        const isSteady = use.use === 'steady';
        const known = meters.find((each) => each.weight === use.weight && (each.use === 'steady') === isSteady);
        if (known === undefined) meters.push({ dimension, ...use, spans: [own] });
        else append(known.spans, own);
      }
    }
    return meters;
  });
}

function spanOf({ from }: Setting, next: Setting | undefined, { start, end = Infinity }: Span): Span | undefined {
  const begins = Math.max(from, start);
  const ends = Math.min(next?.from ?? Infinity, end);
  if (begins >= ends) return undefined;
  return ends === Infinity ? { start: begins } : { start: begins, end: ends };
}

/** Extends the last span if the next one follows it directly. */
function append(spans: Span[], next: Span): void {
  const last = spans.at(-1);
  if (last?.end === next.start) spans[spans.length - 1] = { ...next, start: last.start };
  else spans.push(next);
}

/** The kind of pattern that a meter's dimension uses when it is steady. */
export function steadyKind(dimension: BillingDimension): 'compute' | 'storage' | 'active_time' {
  const { kind } = dimensionRow(dimension);
  if (kind === 'requests') throw new RangeError(`${dimension} counts requests, which are not steady.`);
  return kind;
}
