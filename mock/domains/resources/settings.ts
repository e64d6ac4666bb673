/** The metered settings of a resource, from its spec and its newest deployment. */
import { specLimits } from '../../../spec/formats/mock-limits.ts';
import type { Setting } from '../../metrics/causes.ts';
import { hashText, pick } from '../../metrics/hash.ts';
import { deployedAt, fatalOf } from '../../state/deployments.ts';
import {
  canaryDeployment,
  mainRevision,
  respondingSpec,
  servedSpec,
  servesAt,
  specOfRevision,
} from '../../state/revisions.ts';
import type { Resource } from '../../state/resources.ts';
import { isObject, type JsonObject } from '../../../spec/json-object.ts';
import type { Instant } from '../../time/clock.ts';

const DEFAULT_MEMORY_MB = 2048;
export const MEMORY_STEP_MB = 256;
const DEFAULT_VOLUME_MB = 1024;
const STORAGE_STEP_MB = 100;
/** Of images, in steps of 100 MB; the uuid of the resource decides. */
const IMAGE_STEPS = [2, 5, 8, 12, 20, 40];

/** At most those of `max`, so that no sum of usage is ever infinite. */
const steps = (value: unknown, byDefault: number, step: number, max: number): number =>
  Math.ceil(Math.min(typeof value === 'number' && value > 0 ? value : byDefault, max) / step);

/** Memory of an instance, in steps of 256 MB. */
export function memoryOf({ runtime }: JsonObject): number {
  return steps(
    isObject(runtime) ? runtime['memory'] : undefined,
    DEFAULT_MEMORY_MB,
    MEMORY_STEP_MB,
    specLimits.memory.max,
  );
}

type RunningSetting = Omit<Setting, 'from' | 'serves'>;

/** Without a deployment. */
export function settingOf(spec: JsonObject, uuid: string): RunningSetting {
  const runtime = isObject(spec['runtime']) ? spec['runtime'] : {};
  const { minScale } = runtime;
  const triggers: readonly unknown[] = Array.isArray(spec['triggers']) ? spec['triggers'] : [];
  return {
    memory: memoryOf(spec),
    minScale: typeof minScale === 'number' && minScale > 0 ? Math.min(minScale, specLimits.minScale.max) : 0,
    isAsync: triggers.some(
      (trigger) => isObject(trigger) && trigger['type'] === 'http-async' && trigger['enabled'] !== false,
    ),
    image: pick(IMAGE_STEPS, hashText(0, uuid)),
    size: steps(spec['size'], DEFAULT_VOLUME_MB, STORAGE_STEP_MB, specLimits.size.max),
  };
}

/** Of an agent at an instant: of the revision that responds, and of the instances that its canary keeps warm. */
function agentSettingOf({ spec, deployments, uuid = '' }: Resource, at: Instant): RunningSetting {
  const setting = settingOf(respondingSpec(spec, deployments, at), uuid);
  const canary = canaryDeployment(spec, deployments)?.revision;
  if (canary === undefined || canary === mainRevision(spec, deployments, at)) return setting;
  const { minScale, memory } = settingOf(specOfRevision(spec, deployments, canary), uuid);
  return minScale === 0 ? setting : { ...setting, canaryMemory: minScale * memory };
}

/** Of a sandbox that runs from an instant on. */
export function runningSetting(sandbox: Resource, from: Instant): Setting {
  return { ...servedSettingOf(sandbox, from), from, serves: true };
}

/** Of a sandbox that sleeps from an instant on. */
export function sleepingSetting(sandbox: Resource, from: Instant): Setting {
  return { ...servedSettingOf(sandbox, from), from, serves: false, sleeps: true };
}

/** Of the revision that serves at an instant: an update that fails changes nothing. */
function servedSettingOf({ spec, deployments, uuid = '' }: Resource, at: Instant): RunningSetting {
  return settingOf(servedSpec(spec, deployments, at), uuid);
}

/**
 * From a write on: until the new revision is deployed, a resource that served continues as before; so it does if the
 * deployment fails. Only the choice of the revision that responds takes effect at once.
 */
export function settingsFrom(collection: string, resource: Resource, at: Instant): Setting[] {
  const { spec, deployments, uuid = '' } = resource;
  const isAgent = collection === 'agents';
  const ofAnyInstant = isAgent ? undefined : settingOf(spec, uuid);
  const settingAt = (instant: Instant) => ofAnyInstant ?? agentSettingOf(resource, instant);
  const last = deployments.at(-1);
  if (last?.course === 'deactivate') return [{ ...settingAt(at), from: at, serves: false }];
  const from = (last && deployedAt(last)) ?? -Infinity;
  const planned = from < at ? [] : [{ ...settingAt(from), from, serves: true }];
  const serves = servesAt(deployments, at);
  return serves && !isAgent ? planned : [{ ...settingAt(at), from: at, serves }, ...planned];
}

/** The settings from an instant on, without the instances of a canary that has lost a volume. `lostAt`: when it loses one. */
export function withoutLostCanary(settings: Setting[], at: Instant, lostAt: Instant | undefined): Setting[] {
  if (lostAt === undefined) return settings;
  const from = Math.max(at, lostAt);
  const current = settings.findLast((each) => each.from <= from);
  const lost = settings.filter((each) => each === current || each.from > from);
  return [
    ...settings.filter((each) => each.from < from),
    ...lost.map(({ canaryMemory: _lost, ...rest }) => ({ ...rest, from: Math.max(from, rest.from) })),
  ];
}

/** The settings from an instant on, except while the resource does not serve because a volume failed. */
export function withVolumeLosses(
  { spec, deployments, uuid = '' }: Resource,
  at: Instant,
  settings: Setting[],
): Setting[] {
  const last = deployments.at(-1);
  if (last?.course !== 'deploy') return settings;
  const lost = (from: Instant): Setting => ({ ...settingOf(spec, uuid), from, serves: false });
  const begins = deployedAt(last) ?? Infinity;
  const [lostAt, replacedLostAt] = [fatalOf(last)?.at ?? Infinity, last.replaces?.lostAt ?? Infinity];
  const isReplacedLost = replacedLostAt >= at && replacedLostAt < begins;
  const own = isReplacedLost
    ? [
        ...settings.filter(({ from }) => from < replacedLostAt),
        lost(replacedLostAt),
        ...settings.filter(({ from }) => from >= begins),
      ]
    : settings;
  if (lostAt === Infinity || lostAt < at || begins === Infinity) return own;
  return [...own.filter(({ from }) => from < lostAt), lost(lostAt)];
}
