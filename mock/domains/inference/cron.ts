/** Cron triggers, which fire at every instant of their schedule that the virtual clock passes. */
import type { AgentSpec, Trigger } from '../../../spec/generated/types.ts';
import type { Workspace } from '../../state/accounts.ts';
import type { Instant } from '../../time/clock.ts';
import { servesAt } from '../../state/deployments.ts';
import { listResources, type Resource } from '../../state/resources.ts';
import { cronFault, readCron } from '../resources/rules/cron.ts';
import type { WorldState } from '../../state/world-state.ts';
import { generateReply, skipReplies, type Prompt } from './generate-reply.ts';
import { addInstant, instantsOf } from './cron-instants.ts';
import { type Run } from '../resources/uses.ts';
import { MAX_INVOCATIONS, recordInvocation } from './invocations.ts';
import { meterRun } from '../resources/uses.ts';

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

/** Fires all instants since the last call, in order. After the clock was set back, instants fire again. */
export function fireCron(world: WorldState): void {
  const { inference, clock } = world;
  const now = clock.now();
  const after = inference.cronUpTo;
  inference.cronUpTo = now;
  if (after >= now) return;
  const firings = cronTriggers(world).flatMap((each) => firingsOf(world, each, after, now));
  for (const firing of firings.toSorted((one, other) => one.at - other.at)) fire(world, firing);
}

/** Meters all firings; returns the newest, as many as are recorded, and skips the scripted replies of the others. */
function firingsOf(world: WorldState, each: CronTrigger, after: Instant, now: Instant): Firing[] {
  const { agent, trigger } = each;
  const schedule = trigger.configuration?.schedule ?? '';
  // Only a deviation stores an invalid schedule; it never fires.
  if (cronFault(schedule) !== undefined) return [];
  const cron = readCron(schedule);
  const newest: Instant[] = [];
  const served: Run[] = [];
  // A new schedule does not fire for instants before the update.
  for (const at of instantsOf(cron, Math.max(after, agent.updatedAt), now)) {
    if (newest.push(at) === 2 * MAX_INVOCATIONS) newest.splice(0, MAX_INVOCATIONS);
    if (servesAt(agent.deployments, at)) addInstant(served, at);
  }
  for (const run of served) meterRun(world, 'agent_compute_runtime_gbs', agent, run);
  const fired = newest.slice(-MAX_INVOCATIONS);
  const servedCount = fired.filter((at) => servesAt(agent.deployments, at)).length;
  skipReplies(world, promptOf(each), served.reduce((sum, { times }) => sum + times, 0) - servedCount);
  return fired.map((at) => ({ ...each, at }));
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
