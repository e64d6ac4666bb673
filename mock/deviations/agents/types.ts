/** Deviations of the JSON types that an update accepts. */
import { deviationsOf } from '../table.ts';
import type { Deviations } from '../deviation.ts';
import { isFromApiKey } from '../writes.ts';
import {
  acceptsUpdate,
  isMk3,
  storesRefusedUpdate,
  triggersOf,
  volumesOf,
  withInRuntime,
  withInSpec,
  withMembers,
  withTriggers,
} from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';

const runtimeOf = ({ spec }: SentAgent): { readonly [field: string]: unknown } => ({ ...spec?.runtime });
const envsOf = (sent: SentAgent): readonly { readonly [field: string]: unknown }[] => {
  const { envs } = runtimeOf(sent);
  return Array.isArray(envs) ? (envs as { readonly [field: string]: unknown }[]) : [];
};

export const typesDeviations: Deviations = deviationsOf({
  'agents.update.wrong-type-400': {
    '': acceptsUpdate(
      'Accepts a number as the value of the last variable',
      (sent) => typeof envsOf(sent).at(-1)?.['value'] === 'number',
      (sent) => withInRuntime(sent, { envs: envsOf(sent).map((env) => ({ ...env, value: String(env['value']) })) }),
    ),
    'text-of-a-number': acceptsUpdate(
      'Accepts a numeric string as memory',
      (sent) => typeof runtimeOf(sent)['memory'] === 'string',
      (sent) => withInRuntime(sent, { memory: Math.trunc(Number(runtimeOf(sent)['memory'] || '0')) || 0 }),
    ),
    fraction: acceptsUpdate(
      'Rounds a fractional session time',
      ({ spec }) => !Number.isInteger(spec?.revision?.stickySessionTtl ?? 0),
      (sent) => withInSpec(sent, { revision: { stickySessionTtl: 2 } }),
    ),
    'fraction-of-percent': acceptsUpdate(
      'Rounds a fractional canary percent',
      ({ spec }) => isFraction(spec?.revision?.canaryPercent),
      (sent) => withInSpec(sent, { revision: { canaryPercent: 2 } }),
    ),
    'fraction-of-retry': acceptsUpdate(
      'Rounds a fractional retry',
      (sent) => triggersOf(sent).some(({ configuration }) => isFraction(configuration?.retry)),
      (sent) =>
        withTriggers(sent, (trigger) => ({ ...trigger, configuration: { ...trigger.configuration, retry: 1 } })),
    ),
    'text-as-boolean': acceptsUpdate(
      'Accepts text as the secret flag of a variable',
      (sent) => envsOf(sent).some(({ secret }) => typeof secret === 'string'),
      (sent) => withInRuntime(sent, { envs: envsOf(sent).map((env) => ({ ...env, secret: Boolean(env['secret']) })) }),
    ),
    'number-as-boolean': acceptsUpdate(
      'Accepts 1 and 0 for the read-only flag of a volume',
      (sent) => volumesOf(sent).some(({ readOnly }) => typeof readOnly === 'number'),
      (sent) =>
        withInSpec(sent, {
          volumes: volumesOf(sent).map((volume) => ({ ...volume, readOnly: Boolean(volume.readOnly) })),
        }),
    ),
    'object-as-list': acceptsUpdate(
      'Accepts an object as the tasks of a trigger',
      (sent) => triggersOf(sent).some(({ configuration }) => isOther(configuration?.tasks)),
      (sent) =>
        withTriggers(sent, (trigger) => ({ ...trigger, configuration: { ...trigger.configuration, tasks: [] } })),
    ),
    'not-enabled': acceptsUpdate(
      'Accepts any runtime of a disabled agent',
      ({ spec }) => spec?.enabled === false,
      (sent) => withInSpec(sent, { runtime: {} }),
    ),
    'third-trigger': acceptsUpdate(
      'Does not validate enabled from the third trigger on',
      (sent) => triggersOf(sent).some(({ enabled = true }, index) => index > 1 && typeof enabled !== 'boolean'),
      (sent) => withTriggers(sent, (trigger, index) => (index > 1 ? { ...trigger, enabled: true } : trigger)),
    ),
    mk3: acceptsUpdate(
      'Accepts a string as max scale of an mk3 agent',
      (sent) => isMk3(sent) && typeof runtimeOf(sent)['maxScale'] === 'string',
      (sent) => withInRuntime(sent, { maxScale: 1 }),
    ),
    'api-key': acceptsUpdate(
      'Accepts a string as memory from API keys',
      (sent, ctx) => typeof runtimeOf(sent)['memory'] === 'string' && isFromApiKey(ctx),
      (sent) => withInRuntime(sent, { memory: 2048 }),
    ),
    'in-spite-enabled': storesRefusedUpdate(
      'Disables an agent by an update refused for an invalid memory',
      (sent) => typeof (runtimeOf(sent)['memory'] ?? 0) !== 'number',
      withMembers('enabled'),
    ),
    'in-spite': storesRefusedUpdate(
      'Stores the metadata of an update refused for an invalid policy',
      ({ spec }) => Array.isArray(spec?.policies) && spec.policies.some((policy) => typeof policy !== 'string'),
    ),
  },
});

const isFraction = (value: unknown): boolean => typeof value === 'number' && !Number.isInteger(value);
const isOther = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
