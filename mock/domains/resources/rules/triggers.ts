/** Triggers of agents: unique ids, generated callback secrets, schedules and timeouts. */
import type { AgentSpec, Trigger, TriggerConfiguration } from '../../../../spec/generated/types.ts';
import { limits } from '../../../../spec/values.ts';
import { requireAtMost } from '../../../http/limits.ts';
import { invalidField } from '../../../http/problems.ts';
import type { Random } from '../../../time/random.ts';
import type { Resource } from '../../../state/resources.ts';
import { cronFault } from './cron.ts';
import { generationOf } from './generation.ts';
import type { Rule } from './rule.ts';

export const checkTriggers: Rule = ({ spec }) => {
  const agent = spec as AgentSpec;
  const { triggers = [] } = agent;
  requireAtMost('triggers', triggers.length, 'spec.triggers');
  for (const [index, { id = '', configuration = {} }] of triggers.entries()) {
    const at = `spec.triggers[${index}].configuration`;
    requireAtMost('triggerPath', id.length, `spec.triggers[${index}].id`);
    requireAtMost('triggerPath', configuration.path?.length ?? 0, `${at}.path`);
    requireAtMost('triggerPath', configuration.callbackUrl?.length ?? 0, `${at}.callbackUrl`);
    requireAtMost('schedule', configuration.schedule?.length ?? 0, `${at}.schedule`);
    checkCallback(`${at}.callbackUrl`, configuration);
    checkTimeout(`${at}.timeout`, configuration, generationOf(agent));
    checkSchedule(`${at}.schedule`, configuration);
  }
};

/** An empty URL counts as absent. */
function checkCallback(field: string, { callbackUrl = '' }: TriggerConfiguration): void {
  const protocol = URL.parse(callbackUrl)?.protocol;
  if (callbackUrl === '' || protocol === 'http:' || protocol === 'https:') return;
  throw invalidField(field, callbackUrl, 'an http or https URL');
}

function checkTimeout(field: string, { timeout }: TriggerConfiguration, generation: string): void {
  if (timeout === undefined) return;
  if (generation !== 'mk3')
    throw invalidField(field, timeout, `none on generation ${generation}; only mk3 has timeouts`);
  // The schema has only the upper bound.
  if (timeout < 0) throw invalidField(field, timeout, `0 to ${limits.triggerTimeoutSeconds} seconds`);
}

function checkSchedule(field: string, { schedule }: TriggerConfiguration): void {
  const fault = schedule === undefined ? undefined : cronFault(schedule);
  if (fault !== undefined) {
    throw invalidField(field, schedule, `a cron expression with five fields, such as "0 9 * * 1" (${fault})`);
  }
}

export const completeTriggers: Rule = ({ world, spec, before }) => {
  const { triggers } = spec as AgentSpec;
  if (triggers === undefined) return;
  const ids = distinctIds(triggers, world.random);
  const secrets = callbackSecrets(before);
  spec['triggers'] = triggers.map((trigger, index) => {
    const id = ids[index] ?? '';
    return completeTrigger({ ...trigger, id }, () => secrets.get(id) ?? world.random.hex(32));
  });
};

/** The first trigger with an id keeps it; later ones get a unique suffix. */
function distinctIds(triggers: readonly Trigger[], random: Random): string[] {
  const sent = new Set(triggers.map(({ id }) => id));
  const assigned = new Set<string>();
  /** By id: a suffix below it was tried before, and is taken. */
  const nextSuffix = new Map<string | undefined, number>();
  return triggers.map(({ id }) => {
    let distinct = id === undefined || id === '' ? `trigger-${random.hex(8)}` : id;
    let nth = nextSuffix.get(id) ?? 2;
    for (; assigned.has(distinct) || (distinct !== id && sent.has(distinct)); nth++) distinct = `${id}-${nth}`;
    nextSuffix.set(id, nth);
    assigned.add(distinct);
    return distinct;
  });
}

/** By trigger id, so that an update keeps existing secrets. */
function callbackSecrets(before: Resource | undefined): Map<string | undefined, string> {
  const secrets = new Map<string | undefined, string>();
  for (const { id, configuration } of (before?.spec as AgentSpec | undefined)?.triggers ?? []) {
    if (configuration?.callbackSecret !== undefined) secrets.set(id, configuration.callbackSecret);
  }
  return secrets;
}

function completeTrigger(trigger: Trigger, callbackSecret: () => string): Trigger {
  const enabled = trigger.enabled ?? true;
  if (trigger.type === 'http-async') {
    return { ...trigger, enabled, configuration: { ...trigger.configuration, callbackSecret: callbackSecret() } };
  }
  if (trigger.configuration === undefined) return { ...trigger, enabled };
  const { callbackSecret: _theClients, ...configuration } = trigger.configuration;
  return { ...trigger, enabled, configuration };
}
