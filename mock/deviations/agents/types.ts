/** Faults in what JSON types an update takes. */
import type { Deviations } from '../deviation.ts';
import { isFromApiKey } from '../writes.ts';
import {
  accepts,
  isMk3,
  leavesBehind,
  triggersOf,
  volumesOf,
  withInRuntime,
  withInSpec,
  withTriggers,
} from './faults.ts';
import type { Sent } from './faults.ts';

const runtimeOf = ({ spec }: Sent): { readonly [field: string]: unknown } => ({ ...spec?.runtime });
const envsOf = (sent: Sent): readonly { readonly [field: string]: unknown }[] => {
  const { envs } = runtimeOf(sent);
  return Array.isArray(envs) ? (envs as { readonly [field: string]: unknown }[]) : [];
};

export const typesDeviations: Deviations = {
  'agents.update.wrong-type-400': accepts(
    'takes a number for the text of the last variable',
    (sent) => typeof envsOf(sent).at(-1)?.['value'] === 'number',
    (sent) => withInRuntime(sent, { envs: envsOf(sent).map((env) => ({ ...env, value: String(env['value']) })) }),
  ),
  'agents.update.wrong-type-400/text-of-a-number': accepts(
    'takes the text of a number as memory',
    (sent) => typeof runtimeOf(sent)['memory'] === 'string',
    (sent) => withInRuntime(sent, { memory: Math.trunc(Number(runtimeOf(sent)['memory'] || '0')) || 0 }),
  ),
  'agents.update.wrong-type-400/fraction': accepts(
    'rounds the fraction of a session time',
    ({ spec }) => !Number.isInteger(spec?.revision?.stickySessionTtl ?? 0),
    (sent) => withInSpec(sent, { revision: { stickySessionTtl: 2 } }),
  ),
  'agents.update.wrong-type-400/number-as-boolean': accepts(
    'takes 1 and 0 for whether a volume is read-only',
    (sent) => volumesOf(sent).some(({ readOnly }) => typeof readOnly === 'number'),
    (sent) =>
      withInSpec(sent, {
        volumes: volumesOf(sent).map((volume) => ({ ...volume, readOnly: Boolean(volume.readOnly) })),
      }),
  ),
  'agents.update.wrong-type-400/object-as-list': accepts(
    'takes an object for the tasks of a trigger',
    (sent) => triggersOf(sent).some(({ configuration }) => isOther(configuration?.tasks)),
    (sent) => withTriggers(sent, (trigger) => ({ ...trigger, configuration: { ...trigger.configuration, tasks: [] } })),
  ),
  'agents.update.wrong-type-400/not-enabled': accepts(
    'takes anything as runtime of an agent that is not enabled',
    ({ spec }) => spec?.enabled === false,
    (sent) => withInSpec(sent, { runtime: {} }),
  ),
  'agents.update.wrong-type-400/third-trigger': accepts(
    'does not look at what enabled is from the third trigger on',
    (sent) => triggersOf(sent).some(({ enabled = true }, index) => index > 1 && typeof enabled !== 'boolean'),
    (sent) => withTriggers(sent, (trigger, index) => (index > 1 ? { ...trigger, enabled: true } : trigger)),
  ),
  'agents.update.wrong-type-400/mk3': accepts(
    'takes a text as max scale of an mk3 agent',
    (sent) => isMk3(sent) && typeof runtimeOf(sent)['maxScale'] === 'string',
    (sent) => withInRuntime(sent, { maxScale: 1 }),
  ),
  'agents.update.wrong-type-400/api-key': accepts(
    'takes a text as memory from an API key',
    (sent, ctx) => typeof runtimeOf(sent)['memory'] === 'string' && isFromApiKey(ctx),
    (sent) => withInRuntime(sent, { memory: 2048 }),
  ),
  'agents.update.wrong-type-400/in-spite': leavesBehind(
    'keeps the metadata of an update that it refuses for a policy that is no text',
    ({ spec }) => Array.isArray(spec?.policies) && spec.policies.some((policy) => typeof policy !== 'string'),
  ),
};

const isOther = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
