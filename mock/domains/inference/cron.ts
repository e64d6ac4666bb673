/** Cron triggers, which fire at every instant of their schedule that the virtual clock passes. */
import type { AgentSpec, Trigger } from '../../../spec/generated/types.ts';
import type { Workspace } from '../../state/accounts.ts';
import type { Instant } from '../../time/clock.ts';
import { servesAt, servingSpans } from '../../state/revisions.ts';
import { listResources, type Resource } from '../../state/resources.ts';
import { cronCalendar, type CronCalendar } from '../../time/cron-calendar.ts';
import { cronFault } from '../resources/rules/cron.ts';
import type { WorldState } from '../../state/world-state.ts';
import { generateReply, skipReplies, type Prompt } from './generate-reply.ts';
import { MAX_INVOCATIONS, recordInvocation } from './invocations.ts';
import { respondingSpecOf } from '../resources/canaries.ts';
import { meterSchedule } from '../resources/uses.ts';

const MINUTE_MS = 60_000;

interface CronTrigger {
  readonly workspace: Workspace;
  readonly agent: Resource;
  readonly trigger: Trigger;
}

interface Firing extends CronTrigger {
  readonly at: Instant;
}

function cronTriggers(world: WorldState): CronTrigger[] {
  return [...world.workspaces.values()].flatMap((workspace) =>
    listResources(world, `${workspace.name}/agents`).flatMap((agent) => {
      const { triggers = [] } = agent.spec as AgentSpec;
      return triggers.filter(isCron).map((trigger) => ({ workspace, agent, trigger }));
    }),
  );
}

function isCron({ type, enabled, configuration }: Trigger): boolean {
  return type === 'cron' && enabled !== false && configuration?.schedule !== undefined;
}

/** When to check again: the next minute, because schedules have that resolution. Infinity without cron triggers. */
export function nextCronAt(world: WorldState): Instant {
  return cronTriggers(world).length === 0 ? Infinity : minuteAfter(world.inference.cronUpTo);
}

function minuteAfter(instant: Instant): Instant {
  return (Math.floor(instant / MINUTE_MS) + 1) * MINUTE_MS;
}

/** Called when an agent is written, because its schedule may be the first of the world. */
export function scheduleCron(
  { clock }: WorldState,
  schedule: { wakeBy(instant: Instant): void },
  spec: AgentSpec,
): void {
  if (spec.triggers?.some(isCron) === true) schedule.wakeBy(minuteAfter(clock.now()));
}

/**
 * Fires all instants since the last call, in order. After the clock was set back, instants fire again. A long time costs no
 * more than a short one: all instants are metered in closed form, and only the newest are recorded.
 */
export function fireCron(world: WorldState): void {
  const { inference, clock } = world;
  const now = clock.now();
  const after = inference.cronUpTo;
  inference.cronUpTo = now;
  if (after >= now) return;
  const passed = cronTriggers(world).flatMap((each) => passedBy(each, after, now));
  const recordedFrom = startOfNewest(passed);
  const firings = passed
    .flatMap(({ calendar, from, to, trigger, agent, workspace }) =>
      calendar
        .between(Math.max(from, recordedFrom), to)
        .map((second) => ({ trigger, agent, workspace, at: second * 1000 })),
    )
    .toSorted((one, other) => one.at - other.at)
    .slice(-MAX_INVOCATIONS);
  const recorded = Map.groupBy(firings, ({ trigger }) => trigger);
  for (const each of passed) meter(world, each, recorded.get(each.trigger) ?? []);
  for (const firing of firings) fire(world, firing);
}

/** The instants of a trigger that the clock has passed. */
interface Passed extends CronTrigger {
  readonly schedule: string;
  readonly calendar: CronCalendar;
  /** In seconds since 1970, inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Empty if there are none. `after` is exclusive, `now` inclusive. */
function passedBy(each: CronTrigger, after: Instant, now: Instant): Passed[] {
  const { agent, trigger } = each;
  const schedule = trigger.configuration?.schedule ?? '';
  // Only a deviation stores an invalid schedule; it never fires.
  const calendar = validCalendar(schedule);
  if (calendar === undefined) return [];
  // A new schedule does not fire for instants before the update.
  const from = Math.floor(Math.max(after, agent.updatedAt) / 1000) + 1;
  const to = Math.floor(now / 1000) + 1;
  if (from >= to || calendar.before(to) === calendar.before(from)) return [];
  return [{ ...each, schedule, calendar, from, to }];
}

/** Undefined if the schedule is invalid. */
function validCalendar(schedule: string): CronCalendar | undefined {
  return cronFault(schedule) === undefined ? cronCalendar(schedule) : undefined;
}

/** The second from which on there are about as many instants as are recorded, found by bisection. */
function startOfNewest(passed: readonly Passed[]): number {
  let low = Math.min(...passed.map(({ from }) => from));
  let high = Math.max(...passed.map(({ to }) => to));
  const count = (second: number) =>
    passed.reduce((sum, { calendar, from, to }) => {
      const start = Math.max(from, second);
      return start >= to ? sum : sum + calendar.before(to) - calendar.before(start);
    }, 0);
  if (passed.length === 0 || count(low) <= MAX_INVOCATIONS) return low;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = count(middle);
    if (found >= MAX_INVOCATIONS) low = middle;
    else high = middle;
    if (found >= MAX_INVOCATIONS && found < 2 * MAX_INVOCATIONS) break;
  }
  return low;
}

/** Meters the instants at which the agent served, and skips the scripted replies of those that are not recorded. */
function meter(
  world: WorldState,
  { agent, schedule, calendar, from, to, ...each }: Passed,
  recorded: readonly Firing[],
) {
  let served = 0;
  for (const span of servingSpans(agent.deployments, from * 1000, to * 1000)) {
    const [start, end] = [Math.ceil(span.start / 1000), Math.ceil(span.end / 1000)];
    const times = calendar.before(end) - calendar.before(start);
    if (times === 0) continue;
    served += times;
    const spec = respondingSpecOf(world, each.workspace, agent, span.start);
    const responding = { ...agent, spec };
    meterSchedule(world, 'agent_compute_runtime_gbs', responding, { schedule, second: start, until: end });
  }
  const recordedServed = recorded.filter(({ at }) => servesAt(agent.deployments, at)).length;
  skipReplies(world, promptOf({ agent, ...each }), served - recordedServed);
}

function promptOf({ workspace, agent, trigger }: CronTrigger): Prompt {
  const text = JSON.stringify(trigger.configuration?.tasks ?? []);
  return { workspace: workspace.name, workload: `agents/${agent.name}`, text, earlier: [] };
}

/** Calls the agent with the trigger's tasks as inputs. If the agent is not serving, only records a 503. */
function fire(world: WorldState, firing: Firing): void {
  const { workspace, agent, trigger, at } = firing;
  const prompt = promptOf(firing);
  const status = servesAt(agent.deployments, at) ? (generateReply(world, prompt).error?.status ?? 200) : 503;
  const workload = { workspace, collection: 'agents', resource: agent } as const;
  recordInvocation(world, workload, { at, by: 'cron', trigger: trigger.id ?? '', inputs: prompt.text, status });
}
