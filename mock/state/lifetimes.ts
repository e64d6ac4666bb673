/** Lifetimes of metered resources, including deleted ones: the basis of billing metrics. */
import { metersOf, type Setting } from '../metrics/causes.ts';
import { isIndexed } from '../metrics/meter-index.ts';
import { usesBefore, type MeteredAccount, type MeteredResource, type MeteredUse } from '../metrics/meters.ts';
import type { Traffic } from '../metrics/usage-patterns.ts';
import type { ResourceType } from '../metrics/dimensions.ts';
import type { Workspace } from './accounts.ts';
import type { Instant } from '../time/clock.ts';
import type { Inference } from './inference.ts';

export interface Lifetime {
  readonly account: string;
  readonly workspace: string;
  readonly type: ResourceType;
  readonly name: string;
  readonly uuid: string;
  /** Inclusive. */
  readonly start: Instant;
  /** Exclusive. Absent while the resource exists. */
  readonly end?: Instant;
  /** In order of `from`; each is valid until the next one. */
  readonly settings: readonly Setting[];
  /** Synthetic requests, of resources of a world file. */
  readonly traffic?: Traffic;
}

/** By uuid, in order of creation. */
export type Lifetimes = Map<string, Lifetime>;

/** The part of a world's state that meters are computed from. */
export interface MeteringState {
  readonly lifetimes: Lifetimes;
  readonly inference: Inference;
}

export function beginLifetime(
  world: MeteringState,
  { name: workspace, account }: Workspace,
  lifetime: Omit<Lifetime, 'account' | 'workspace'>,
): void {
  noteMeterEvents(world, lifetime.settings.length);
  put(world, { account, workspace, ...lifetime });
}

/** Adds settings from `at` on, in order; they replace those that were planned for later. */
export function changeSettings(world: MeteringState, uuid: string, at: Instant, settings: readonly Setting[]): void {
  const lifetime = world.lifetimes.get(uuid);
  if (lifetime === undefined) return;
  const kept = lifetime.settings.filter(({ from }) => from <= at);
  // One that repeats the one before it changes nothing, and updates are frequent.
  for (const setting of settings) if (!isRepeated(kept.at(-1), setting)) kept.push(setting);
  noteMeterEvents(world, kept.length - lifetime.settings.length);
  put(world, { ...lifetime, settings: kept });
}

function isRepeated(before: Setting | undefined, next: Setting): boolean {
  return (
    before !== undefined &&
    before.serves === next.serves &&
    (before.sleeps ?? false) === (next.sleeps ?? false) &&
    before.memory === next.memory &&
    before.minScale === next.minScale &&
    (before.canaryMemory ?? 0) === (next.canaryMemory ?? 0) &&
    before.isAsync === next.isAsync &&
    before.image === next.image &&
    before.size === next.size
  );
}

/** By the inference of the world, which a restored snapshot replaces. */
const eventCounts = new WeakMap<Inference, number>();

/** Notes that the world has more uses or settings. */
export function noteMeterEvents({ inference }: MeteringState, added: number): void {
  const known = eventCounts.get(inference);
  if (known !== undefined) eventCounts.set(inference, known + added);
}

/** Uses and settings of all resources, including deleted ones. */
export function countMeterEvents({ inference, lifetimes }: MeteringState): number {
  const known = eventCounts.get(inference);
  if (known !== undefined) return known;
  let count = 0;
  for (const uses of Object.values(inference.uses)) count += uses.length;
  for (const { settings } of lifetimes.values()) count += settings.length;
  eventCounts.set(inference, count);
  return count;
}

/** Nothing before `at` is metered, apart from uses. */
export function meterFrom(world: MeteringState, uuid: string, at: Instant): void {
  const lifetime = world.lifetimes.get(uuid);
  if (lifetime === undefined) return;
  const settings = lifetime.settings.map((setting) => ({ ...setting, from: Math.max(setting.from, at) }));
  put(world, { ...lifetime, settings });
}

export function setTraffic(world: MeteringState, uuid: string, traffic: Traffic): void {
  const lifetime = world.lifetimes.get(uuid);
  if (lifetime !== undefined) put(world, { ...lifetime, traffic });
}

export function endLifetime(world: MeteringState, uuid: string, end: Instant): void {
  const lifetime = world.lifetimes.get(uuid);
  if (lifetime !== undefined) put(world, { ...lifetime, end });
}

function put({ lifetimes }: MeteringState, lifetime: Lifetime): void {
  lifetimes.set(lifetime.uuid, lifetime);
  noteChange(lifetimes, lifetime);
}

/** Discards the cached meters of a resource whose usage changed. */
export function remeter({ lifetimes }: MeteringState, uuid: string): void {
  const lifetime = lifetimes.get(uuid);
  if (lifetime === undefined) return;
  metered.delete(lifetime);
  noteChange(lifetimes, lifetime);
}

/** The meters of an account as last computed. */
interface ComputedAccount extends MeteredAccount {
  /** By uuid: the index in `resources`. */
  readonly places: Map<string, number>;
  /** Uuids of resources that have changed since, or were added, in order of the first change. */
  readonly changed: Set<string>;
}

// Caches: meters are derived from lifetimes and uses, so they are not part of the state.
const accounts = new WeakMap<Lifetimes, Map<string, ComputedAccount>>();
const metered = new WeakMap<Lifetime, MeteredResource>();

function noteChange(lifetimes: Lifetimes, { account, uuid }: Lifetime): void {
  accounts.get(lifetimes)?.get(account)?.changed.add(uuid);
}

/** The meters of an account. The same object until a resource of the account changes. */
export function meteredAccount(world: MeteringState, account: string): MeteredAccount {
  const { lifetimes } = world;
  const byAccount = accounts.get(lifetimes) ?? new Map<string, ComputedAccount>();
  accounts.set(lifetimes, byAccount);
  const last = byAccount.get(account);
  if (last?.changed.size === 0) return last;
  const computed = last === undefined ? computeAccount(world, account) : updateAccount(world, last);
  byAccount.set(account, computed);
  return computed;
}

function computeAccount(world: MeteringState, account: string): ComputedAccount {
  const own = [...world.lifetimes.values()].filter((lifetime) => lifetime.account === account);
  return {
    resources: own.map((lifetime) => meteredResource(world, lifetime)),
    places: new Map(own.map(({ uuid }, at) => [uuid, at])),
    changed: new Set(),
  };
}

function updateAccount(world: MeteringState, { resources, before, places, changed }: ComputedAccount): ComputedAccount {
  const updated = [...resources];
  for (const uuid of changed) {
    const lifetime = world.lifetimes.get(uuid);
    if (lifetime === undefined) continue;
    const place = places.get(uuid) ?? updated.length;
    places.set(uuid, place);
    updated[place] = meteredResource(world, lifetime);
  }
  // A refused query has no index.
  const indexed = isIndexed(resources) ? resources : before;
  return { resources: updated, ...(indexed && { before: indexed }), places, changed: new Set() };
}

function meteredResource({ inference }: MeteringState, lifetime: Lifetime): MeteredResource {
  const known = metered.get(lifetime);
  if (known !== undefined) return known;
  const uses: readonly MeteredUse[] = inference.uses[lifetime.uuid] ?? [];
  const { workspace, type, name, uuid, start, end, settings, traffic } = lifetime;
  const meters = metersOf(type, settings, end === undefined ? { start } : { start, end }, traffic);
  // "Best effort, not every resource type has one": custom domains have none.
  const resource = {
    workspace,
    type,
    name,
    meters,
    ...(type !== 'custom_domain' && { uuid }),
    ...(uses.length > 0 && { uses: end === undefined ? uses : usesUpTo(uses, end) }),
  };
  metered.set(lifetime, resource);
  return resource;
}

/**
 * Uses of a resource that ended, in that second at the latest: what was accepted in it is billed, and so are requests that had
 * begun, which were metered at their end.
 */
function usesUpTo(uses: readonly MeteredUse[], end: Instant): MeteredUse[] {
  const second = Math.floor(end / 1000);
  return uses.flatMap((use) => {
    const kept = usesBefore(use, second + 1);
    const ticks = ticksOf(use) - kept.reduce((sum, each) => sum + ticksOf(each), 0);
    return ticks > 0 ? [...kept, { dimension: use.dimension, second, ticks }] : kept;
  });
}

/** In all; 0 for a schedule, whose instants are never after the end. */
function ticksOf({ ticks, repeats }: MeteredUse): number {
  if (repeats === undefined) return ticks;
  return 'schedule' in repeats ? 0 : ticks * repeats.times;
}
