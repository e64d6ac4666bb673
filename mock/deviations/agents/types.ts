/** Deviations of the JSON types that an update accepts. */
import type { Table } from '../table.ts';
import { isFromApiKey } from '../writes.ts';
import {
  acceptsUpdate,
  isMk3,
  storesRefusedUpdate,
  triggersOf,
  volumesOf,
  withInRuntime,
  withInSpec,
  withTriggers,
  storedInPart,
} from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';
import { isObject } from '../../../spec/json-object.ts';

const runtimeOf = ({ spec }: SentAgent): { readonly [field: string]: unknown } => ({ ...spec?.runtime });
const envsOf = (sent: SentAgent): readonly { readonly [field: string]: unknown }[] => {
  const { envs } = runtimeOf(sent);
  return Array.isArray(envs) ? (envs as { readonly [field: string]: unknown }[]) : [];
};

export const typesDeviations: Table = {
  'agents.update.wrong-type-400': {
    'accepts a number as the value of the last variable': acceptsUpdate(
      (sent) => typeof envsOf(sent).at(-1)?.['value'] === 'number',
      (sent) => withInRuntime(sent, { envs: envsOf(sent).map((env) => ({ ...env, value: String(env['value']) })) }),
    ),
    'accepts a numeric string as memory': acceptsUpdate(
      (sent) => typeof runtimeOf(sent)['memory'] === 'string',
      (sent) => withInRuntime(sent, { memory: Math.trunc(Number(runtimeOf(sent)['memory'] || '0')) || 0 }),
    ),
    'rounds a fractional session time': acceptsUpdate(
      ({ spec }) => !Number.isInteger(spec?.revision?.stickySessionTtl ?? 0),
      (sent) => withInSpec(sent, { revision: { stickySessionTtl: 2 } }),
    ),
    'rounds a fractional canary percent': acceptsUpdate(
      ({ spec }) => isFraction(spec?.revision?.canaryPercent),
      (sent) => withInSpec(sent, { revision: { canaryPercent: 2 } }),
    ),
    'rounds a fractional retry': acceptsUpdate(
      (sent) => triggersOf(sent).some(({ configuration }) => isFraction(configuration?.retry)),
      (sent) =>
        withTriggers(sent, (trigger) => ({ ...trigger, configuration: { ...trigger.configuration, retry: 1 } })),
    ),
    'accepts text as the secret flag of a variable': acceptsUpdate(
      (sent) => envsOf(sent).some(({ secret }) => typeof secret === 'string'),
      (sent) => withInRuntime(sent, { envs: envsOf(sent).map((env) => ({ ...env, secret: Boolean(env['secret']) })) }),
    ),
    'accepts 1 and 0 for the read-only flag of a volume': acceptsUpdate(
      (sent) => volumesOf(sent).some(({ readOnly }) => typeof readOnly === 'number'),
      (sent) =>
        withInSpec(sent, {
          volumes: volumesOf(sent).map((volume) => ({ ...volume, readOnly: Boolean(volume.readOnly) })),
        }),
    ),
    'accepts an object as the tasks of a trigger': acceptsUpdate(
      (sent) => triggersOf(sent).some(({ configuration }) => isObject(configuration?.tasks)),
      (sent) =>
        withTriggers(sent, (trigger) => ({ ...trigger, configuration: { ...trigger.configuration, tasks: [] } })),
    ),
    'accepts any runtime of a disabled agent': acceptsUpdate(
      ({ spec }) => spec?.enabled === false,
      (sent) => withInSpec(sent, { runtime: {} }),
    ),
    'does not validate enabled from the third trigger on': acceptsUpdate(
      (sent) => triggersOf(sent).some(({ enabled = true }, index) => index > 1 && typeof enabled !== 'boolean'),
      (sent) => withTriggers(sent, (trigger, index) => (index > 1 ? { ...trigger, enabled: true } : trigger)),
    ),
    'accepts a string as max scale of an mk3 agent': acceptsUpdate(
      (sent) => isMk3(sent) && typeof runtimeOf(sent)['maxScale'] === 'string',
      (sent) => withInRuntime(sent, { maxScale: 1 }),
    ),
    'accepts a string as memory from API keys': acceptsUpdate(
      (sent, ctx) => typeof runtimeOf(sent)['memory'] === 'string' && isFromApiKey(ctx),
      (sent) => withInRuntime(sent, { memory: 2048 }),
    ),
    ...storedInPart('an invalid memory', (sent) => typeof (runtimeOf(sent)['memory'] ?? 0) !== 'number', 'enabled'),
    'stores the metadata of an update refused for an invalid policy': storesRefusedUpdate(
      ({ spec }) => Array.isArray(spec?.policies) && spec.policies.some((policy) => typeof policy !== 'string'),
    ),
  },
};

const isFraction = (value: unknown): boolean => typeof value === 'number' && !Number.isInteger(value);
