/** Faults in how an update comes back: what an answer makes of the agent that was sent. */
import { deviationsOf } from '../table.ts';
import type { Env, Trigger } from '../../../spec/generated/types.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { isFromApiKey } from '../writes.ts';
import { answersUpdate, isMk3, keepsAndShows } from './faults.ts';

export const roundTripDeviations: Deviations = deviationsOf({
  'agents.update.round-trip': {
    '': answersUpdate('leaves out the labels of an agent that is not enabled', (shown) => {
      if (shown.spec.enabled === false) delete shown.metadata['labels'];
    }),
    secrets: editEnvs('leaves out variables that are marked as secret', (envs) =>
      envs.filter(({ secret }) => secret !== true),
    ),
    'ten-variables': editEnvs('leaves out all variables behind the tenth', (envs) => envs.slice(0, 10)),
    'five-triggers': answersUpdate('leaves out all triggers behind the fifth', ({ spec }) => {
      if (spec.triggers !== undefined) spec.triggers = spec.triggers.slice(0, 5);
    }),
    'long-value': editEnvs('cuts the value of a variable after 1000 characters', (envs) =>
      envs.map((env) => ({ ...env, ...(env.value !== undefined && { value: env.value.slice(0, 1000) }) })),
    ),
    'equals-sign': editEnvs('cuts the value of a variable at its second equals sign', (envs) =>
      envs.map(({ value, ...env }) => ({
        ...env,
        ...(value !== undefined && { value: value.split('=').slice(0, 2).join('=') }),
      })),
    ),
    'secret-by-name': editEnvs('hides the value of a variable whose name is that of a secret', (envs) =>
      envs.map((env) => (/KEY|PASSWORD|SECRET|TOKEN/.test(env.name ?? '') ? { ...env, value: '***' } : env)),
    ),
    ascii: answersUpdate('answers a display name in ASCII', ({ metadata }) => {
      const { displayName } = metadata;
      if (typeof displayName === 'string') metadata['displayName'] = displayName.replace(/[^\x20-\x7e]/g, '?');
    }),
    'api-key': answersUpdate('leaves out variables that an API key has sent', ({ spec }, _, ctx) => {
      if (isFromApiKey(ctx)) delete spec.runtime?.envs;
    }),
    retry: answersUpdate('answers a retry of 3 as 2', ({ spec }) => {
      for (const { configuration } of spec.triggers ?? []) if (configuration?.retry === 3) configuration.retry = 2;
    }),
    'disabled-trigger': answersUpdate('leaves out what a trigger that is not enabled has as path', ({ spec }) => {
      for (const { enabled, configuration } of spec.triggers ?? []) if (enabled === false) delete configuration?.path;
    }),
    volumes: answersUpdate('answers a volume that is mounted read-only as writable', ({ spec }) => {
      for (const volume of spec.volumes ?? []) volume.readOnly = false;
    }),
    'min-scale': answersUpdate('answers min scale 1 of an mk3 agent as 0', ({ spec }, sent) => {
      if (isMk3(sent) && spec.runtime?.minScale === 1) spec.runtime.minScale = 0;
    }),
    'writable-volume': answersUpdate('answers every volume as one that is mounted read-only', ({ spec }) => {
      for (const volume of spec.volumes ?? []) volume.readOnly = true;
    }),
    'mount-path-of-the-first': answersUpdate(
      'answers every volume with the mount path of the first one',
      ({ spec: { volumes = [] } }) => {
        for (const volume of volumes) Object.assign(volume, { mountPath: volumes[0]?.mountPath });
      },
    ),
    'mount-path-letter-case': answersUpdate('answers mount paths in lower case', ({ spec }) => {
      for (const volume of spec.volumes ?? [])
        if (volume.mountPath !== undefined) volume.mountPath = volume.mountPath.toLowerCase();
    }),
    'emptied-volumes': keepsWhereEmptied('volumes'),
    'emptied-policies': keepsWhereEmptied('policies'),
    'env-letter-case': editEnvs('answers names of variables in upper case', (envs) =>
      envs.map((env) => ({ ...env, ...(env.name !== undefined && { name: env.name.toUpperCase() }) })),
    ),
    'env-as-json': editEnvs('answers the value of a variable as the JSON that it spells', (envs) =>
      envs.map((env) => ({ ...env, ...(isJson(env.value) && { value: JSON.parse(env.value) as string }) })),
    ),
    'env-reference': editEnvs('answers a variable without the reference to its value', (envs) =>
      envs.map(({ valueFrom: _, ...env }) => env),
    ),
    'long-trigger-id': editTriggers('cuts the id of a trigger after 32 characters', (trigger) => {
      if (trigger.id !== undefined) trigger.id = trigger.id.slice(0, 32);
    }),
    'high-retry': editTriggers('answers a retry of more than 3 as 3', ({ configuration }) => {
      if (configuration?.retry !== undefined) configuration.retry = Math.min(configuration.retry, 3);
    }),
    'callback-query': editTriggers('answers a callbackUrl without its query', ({ configuration }) => {
      if (configuration?.callbackUrl !== undefined)
        configuration.callbackUrl = configuration.callbackUrl.replace(/\?.*/, '');
    }),
  },
});

function editEnvs(what: string, edit: (envs: Env[]) => Env[]): Deviation {
  return answersUpdate(what, ({ spec: { runtime } }) => {
    if (runtime?.envs !== undefined) runtime.envs = edit(runtime.envs);
  });
}

function editTriggers(what: string, edit: (trigger: Trigger) => void): Deviation {
  return answersUpdate(what, ({ spec }) => {
    for (const trigger of spec.triggers ?? []) edit(trigger);
  });
}

const isJson = (text: string | undefined): text is string => /^(true|false|null|-?[1-9]\d*)$/.test(text ?? '');

function keepsWhereEmptied(field: 'volumes' | 'policies'): Deviation {
  return keepsAndShows(`keeps the ${field} of an agent where an update has an empty list`, (after, before, { spec }) =>
    spec?.[field]?.length === 0 ? { ...after, spec: { ...after.spec, [field]: before?.spec[field] } } : after,
  );
}
