/** Cron triggers: fired for every instant of their schedule that the virtual clock passes. */
import type { AgentSpec, Trigger } from '../../spec/generated/types.ts';
import type { Workspace } from '../world/accounts.ts';
import type { Instant } from '../world/clock.ts';
import { servesAt } from '../world/deployments.ts';
import { listResources, type Resource } from '../world/resources.ts';
import { readCron } from '../world/rules/cron.ts';
import type { World } from '../world/world.ts';
import { answerTo } from './answers.ts';
import { recordInvocation } from './inference.ts';
import { meterCompute } from './uses.ts';

const MINUTE_MS = 60_000;
/** Of one trigger in one move of the clock; a longer jump leaves out the rest. */
const MOST_FIRINGS = 1000;

interface CronTrigger {
  readonly workspace: Workspace;
  readonly agent: Resource;
  readonly trigger: Trigger;
}

interface Firing extends CronTrigger {
  readonly at: Instant;
}

function cronTriggers(world: World): CronTrigger[] {
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

/** When to look again: schedules have minutes, no less. Infinity where no agent has one. */
export function nextCronAt(world: World): Instant {
  return cronTriggers(world).length === 0 ? Infinity : minuteAfter(world.inference.cronUpTo);
}

function minuteAfter(instant: Instant): Instant {
  return (Math.floor(instant / MINUTE_MS) + 1) * MINUTE_MS;
}

/** To be called when an agent was written: its schedule may be the first one of the world. */
export function expectCron(world: World, spec: AgentSpec): void {
  if (spec.triggers?.some(isCron) === true) world.schedule.wakeBy(minuteAfter(world.clock.now()));
}

/** Fires what lies between the last time and now, in the order of the instants; a clock that was set back fires again. */
export function fireCron(world: World): void {
  const { inference, clock } = world;
  const now = clock.now();
  const after = inference.cronUpTo;
  inference.cronUpTo = now;
  if (after >= now) return;
  const firings = cronTriggers(world).flatMap((each) => firingsOf(each, after, now));
  for (const firing of firings.toSorted((one, other) => one.at - other.at)) fire(world, firing);
}

function firingsOf(each: CronTrigger, after: Instant, now: Instant): Firing[] {
  const cron = readCron(each.trigger.configuration?.schedule ?? '');
  const firings: Firing[] = [];
  // What an agent is updated to does not fire for the time before.
  let at = cron.nextRun(new Date(Math.max(after, each.agent.updatedAt)))?.getTime();
  while (at !== undefined && at <= now && firings.length < MOST_FIRINGS) {
    firings.push({ ...each, at });
    at = cron.nextRun(new Date(at))?.getTime();
  }
  return firings;
}

/** One call of the agent with the trigger's tasks as its inputs; an agent that does not serve is not called, which is recorded too. */
function fire(world: World, { workspace, agent, trigger, at }: Firing): void {
  const inputs = JSON.stringify(trigger.configuration?.tasks ?? []);
  const workload = `agents/${agent.name}`;
  const serves = servesAt(agent.deployments, at);
  const status = serves ? statusOf(world, workspace, workload, inputs) : 503;
  const { id: triggerId = '' } = trigger;
  recordInvocation(world.inference, {
    at,
    workspace: workspace.name,
    workload,
    by: 'cron',
    trigger: triggerId,
    inputs,
    status,
  });
  if (serves) meterCompute(world, 'agent_compute_runtime_gbs', agent, at);
}

function statusOf(world: World, { name: workspace }: Workspace, workload: string, text: string): number {
  return answerTo(world, { workspace, workload, text, earlier: [] }).error?.status ?? 200;
}
