/** Faults in what JSON types an update takes. */
import { deviationsOf } from '../table.ts';
import type { Deviations } from '../deviation.ts';
import { isFromApiKey } from '../writes.ts';
import {
  acceptsUpdate,
  isMk3,
  keepsInSpite,
  triggersOf,
  volumesOf,
  withInRuntime,
  withInSpec,
  withMembers,
  withTriggers,
} from './faults.ts';
import type { SentAgent } from './faults.ts';

const runtimeOf = ({ spec }: SentAgent): { readonly [field: string]: unknown } => ({ ...spec?.runtime });
const envsOf = (sent: SentAgent): readonly { readonly [field: string]: unknown }[] => {
  const { envs } = runtimeOf(sent);
  return Array.isArray(envs) ? (envs as { readonly [field: string]: unknown }[]) : [];
};

export const typesDeviations: Deviations = deviationsOf({
  'agents.update.wrong-type-400': {
    '': acceptsUpdate(
      'takes a number for the text of the last variable',
      (sent) => typeof envsOf(sent).at(-1)?.['value'] === 'number',
      (sent) => withInRuntime(sent, { envs: envsOf(sent).map((env) => ({ ...env, value: String(env['value']) })) }),
    ),
    'text-of-a-number': acceptsUpdate(
      'takes the text of a number as memory',
      (sent) => typeof runtimeOf(sent)['memory'] === 'string',
      (sent) => withInRuntime(sent, { memory: Math.trunc(Number(runtimeOf(sent)['memory'] || '0')) || 0 }),
    ),
    fraction: acceptsUpdate(
      'rounds the fraction of a session time',
      ({ spec }) => !Number.isInteger(spec?.revision?.stickySessionTtl ?? 0),
      (sent) => withInSpec(sent, { revision: { stickySessionTtl: 2 } }),
    ),
    'number-as-boolean': acceptsUpdate(
      'takes 1 and 0 for whether a volume is read-only',
      (sent) => volumesOf(sent).some(({ readOnly }) => typeof readOnly === 'number'),
      (sent) =>
        withInSpec(sent, {
          volumes: volumesOf(sent).map((volume) => ({ ...volume, readOnly: Boolean(volume.readOnly) })),
        }),
    ),
    'object-as-list': acceptsUpdate(
      'takes an object for the tasks of a trigger',
      (sent) => triggersOf(sent).some(({ configuration }) => isOther(configuration?.tasks)),
      (sent) =>
        withTriggers(sent, (trigger) => ({ ...trigger, configuration: { ...trigger.configuration, tasks: [] } })),
    ),
    'not-enabled': acceptsUpdate(
      'takes anything as runtime of an agent that is not enabled',
      ({ spec }) => spec?.enabled === false,
      (sent) => withInSpec(sent, { runtime: {} }),
    ),
    'third-trigger': acceptsUpdate(
      'does not look at what enabled is from the third trigger on',
      (sent) => triggersOf(sent).some(({ enabled = true }, index) => index > 1 && typeof enabled !== 'boolean'),
      (sent) => withTriggers(sent, (trigger, index) => (index > 1 ? { ...trigger, enabled: true } : trigger)),
    ),
    mk3: acceptsUpdate(
      'takes a text as max scale of an mk3 agent',
      (sent) => isMk3(sent) && typeof runtimeOf(sent)['maxScale'] === 'string',
      (sent) => withInRuntime(sent, { maxScale: 1 }),
    ),
    'api-key': acceptsUpdate(
      'takes a text as memory from an API key',
      (sent, ctx) => typeof runtimeOf(sent)['memory'] === 'string' && isFromApiKey(ctx),
      (sent) => withInRuntime(sent, { memory: 2048 }),
    ),
    'in-spite-enabled': keepsInSpite(
      'disables an agent by an update that it refuses for a memory that is no number',
      (sent) => typeof (runtimeOf(sent)['memory'] ?? 0) !== 'number',
      withMembers('enabled'),
    ),
    'in-spite': keepsInSpite(
      'keeps the metadata of an update that it refuses for a policy that is no text',
      ({ spec }) => Array.isArray(spec?.policies) && spec.policies.some((policy) => typeof policy !== 'string'),
    ),
  },
});

const isOther = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
