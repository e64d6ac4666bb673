/** Deviations of the round trip of an agent: responses that differ from what was sent. */
import { deviationsOf } from '../table.ts';
import type { Env, Trigger } from '../../../spec/generated/types.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { isFromApiKey } from '../writes.ts';
import { changesUpdateResponse, isMk3, storesAndReturns } from './agent-updates.ts';

export const roundTripDeviations: Deviations = deviationsOf({
  'agents.update.round-trip': {
    '': changesUpdateResponse('Omits the labels of a disabled agent', (returned) => {
      if (returned.spec.enabled === false) delete returned.metadata['labels'];
    }),
    secrets: editEnvs('Omits variables that are marked as secret', (envs) =>
      envs.filter(({ secret }) => secret !== true),
    ),
    'ten-variables': editEnvs('Omits all variables after the tenth', (envs) => envs.slice(0, 10)),
    'five-triggers': changesUpdateResponse('Omits all triggers after the fifth', ({ spec }) => {
      if (spec.triggers !== undefined) spec.triggers = spec.triggers.slice(0, 5);
    }),
    'long-value': editEnvs('Truncates the value of a variable to 1000 characters', (envs) =>
      envs.map((env) => ({ ...env, ...(env.value !== undefined && { value: env.value.slice(0, 1000) }) })),
    ),
    'empty-value': editEnvs('Omits variables whose value is empty', (envs) => envs.filter(({ value }) => value !== '')),
    'four-byte-value': editEnvs('Returns characters of four bytes in a variable as question marks', (envs) =>
      envs.map(({ value, ...env }) => ({
        ...env,
        ...(value !== undefined && { value: value.replace(/[\u{10000}-\u{10ffff}]/gu, '?') }),
      })),
    ),
    'equals-sign': editEnvs('Truncates the value of a variable at its second equals sign', (envs) =>
      envs.map(({ value, ...env }) => ({
        ...env,
        ...(value !== undefined && { value: value.split('=').slice(0, 2).join('=') }),
      })),
    ),
    'padded-value': editEnvs('Trims the values of variables', (envs) => editValues(envs, (value) => value.trim())),
    'tab-in-value': editEnvs('Returns tabs in a variable as spaces', (envs) =>
      editValues(envs, (value) => value.replaceAll('\t', ' ')),
    ),
    'decimal-value': editEnvs('Returns the value of a variable without zeros at its end', (envs) =>
      editValues(envs, (value) => (/^\d+\.\d+$/.test(value) ? String(Number(value)) : value)),
    ),
    'json-value': editEnvs('Serializes a JSON object in a variable again', (envs) =>
      editValues(envs, (value) => (/^\{.*\}$/.test(value) ? JSON.stringify(JSON.parse(value)) : value)),
    ),
    'secret-by-name': editEnvs('Redacts the value of a variable whose name suggests a secret', (envs) =>
      envs.map((env) => (/KEY|PASSWORD|SECRET|TOKEN/.test(env.name ?? '') ? { ...env, value: '***' } : env)),
    ),
    ascii: changesUpdateResponse('Returns display names in ASCII', ({ metadata }) => {
      const { displayName } = metadata;
      if (typeof displayName === 'string') metadata['displayName'] = displayName.replace(/[^\x20-\x7e]/g, '?');
    }),
    'api-key': changesUpdateResponse('Omits variables sent with an API key', ({ spec }, _, ctx) => {
      if (isFromApiKey(ctx)) delete spec.runtime?.envs;
    }),
    retry: changesUpdateResponse('Returns a retry of 3 as 2', ({ spec }) => {
      for (const { configuration } of spec.triggers ?? []) if (configuration?.retry === 3) configuration.retry = 2;
    }),
    'disabled-trigger': changesUpdateResponse('Omits the path of a disabled trigger', ({ spec }) => {
      for (const { enabled, configuration } of spec.triggers ?? []) if (enabled === false) delete configuration?.path;
    }),
    volumes: changesUpdateResponse('Returns a read-only volume as writable', ({ spec }) => {
      for (const volume of spec.volumes ?? []) volume.readOnly = false;
    }),
    'min-scale': changesUpdateResponse('Returns min scale 1 of an mk3 agent as 0', ({ spec }, sent) => {
      if (isMk3(sent) && spec.runtime?.minScale === 1) spec.runtime.minScale = 0;
    }),
    'writable-volume': changesUpdateResponse('Returns every volume as read-only', ({ spec }) => {
      for (const volume of spec.volumes ?? []) volume.readOnly = true;
    }),
    'mount-path-of-the-first': changesUpdateResponse(
      'Returns every volume with the mount path of the first',
      ({ spec: { volumes = [] } }) => {
        for (const volume of volumes) Object.assign(volume, { mountPath: volumes[0]?.mountPath });
      },
    ),
    'mount-path-letter-case': changesUpdateResponse('Returns mount paths in lower case', ({ spec }) => {
      for (const volume of spec.volumes ?? [])
        if (volume.mountPath !== undefined) volume.mountPath = volume.mountPath.toLowerCase();
    }),
    'emptied-volumes': keepsWhereEmptied('volumes'),
    'emptied-policies': keepsWhereEmptied('policies'),
    'env-letter-case': editEnvs('Returns the names of variables in upper case', (envs) =>
      envs.map((env) => ({ ...env, ...(env.name !== undefined && { name: env.name.toUpperCase() }) })),
    ),
    'env-as-json': editEnvs('Returns the value of a variable as parsed JSON', (envs) =>
      envs.map((env) => ({ ...env, ...(isJson(env.value) && { value: JSON.parse(env.value) as string }) })),
    ),
    'env-reference': editEnvs('Returns a variable without the reference to its value', (envs) =>
      envs.map(({ valueFrom: _, ...env }) => env),
    ),
    'long-trigger-id': editTriggers('Truncates the id of a trigger to 32 characters', (trigger) => {
      if (trigger.id !== undefined) trigger.id = trigger.id.slice(0, 32);
    }),
    'no-retry': editTriggers('Returns the default retry of 3 for 0', ({ configuration }) => {
      if (configuration?.retry === 0) configuration.retry = 3;
    }),
    'high-retry': editTriggers('Returns a retry of more than 3 as 3', ({ configuration }) => {
      if (configuration?.retry !== undefined) configuration.retry = Math.min(configuration.retry, 3);
    }),
    'callback-query': editTriggers('Returns a callbackUrl without its query', ({ configuration }) => {
      if (configuration?.callbackUrl !== undefined)
        configuration.callbackUrl = configuration.callbackUrl.replace(/\?.*/, '');
    }),
    'enabled-with-triggers': changesUpdateResponse('Omits enabled of an enabled agent with triggers', ({ spec }) => {
      if ((spec.triggers ?? []).length > 0 && spec.enabled === true) delete spec.enabled;
    }),
    'zero-with-triggers': changesUpdateResponse('Omits min scale 0 of an agent with triggers', ({ spec }) => {
      if (spec.runtime?.minScale === 0 && (spec.triggers ?? []).length > 0) delete spec.runtime.minScale;
    }),
    'empty-env-value': changesUpdateResponse(
      'Omits an empty list of variables of an agent with triggers',
      ({ spec }) => {
        if (spec.runtime?.envs?.length === 0 && (spec.triggers ?? []).length > 0) delete spec.runtime.envs;
      },
    ),
    'many-variables-reversed': editEnvs('Returns more than two variables in reverse order', (envs) =>
      envs.length > 2 && envs.every(({ secret }) => secret === undefined) ? envs.toReversed() : envs,
    ),
    'triggers-by-type': changesUpdateResponse('Returns triggers of several types sorted by type', ({ spec }) => {
      spec.triggers?.sort((a, b) => (a.type ?? '').localeCompare(b.type ?? ''));
    }),
    'memory-in-gigabytes': changesUpdateResponse(
      'Returns memory rounded down to gigabytes',
      ({ spec: { runtime } }) => {
        if (runtime?.memory !== undefined) runtime.memory -= runtime.memory % 1024;
      },
    ),
    'canary-percent': changesUpdateResponse('Returns canaryPercent rounded to tens', ({ spec: { revision } }) => {
      if (revision?.canaryPercent !== undefined) revision.canaryPercent = Math.round(revision.canaryPercent / 10) * 10;
    }),
    'session-in-minutes': changesUpdateResponse('Returns sessions in whole minutes', ({ spec: { revision } }) => {
      const { stickySessionTtl: seconds = 0 } = revision ?? {};
      if (seconds > 60) Object.assign(revision ?? {}, { stickySessionTtl: seconds - (seconds % 60) });
    }),
    'trigger-id-letter-case': editTriggers('Returns trigger ids in lower case', (trigger) => {
      if (trigger.id !== undefined) trigger.id = trigger.id.toLowerCase();
    }),
    'trigger-path-decoded': editTriggers('Returns the path of a trigger decoded', ({ configuration }) => {
      if (configuration?.path !== undefined) configuration.path = decodeURIComponent(configuration.path);
    }),
    'trigger-path-slash': editTriggers('Returns the path of a trigger without its last slash', ({ configuration }) => {
      if (configuration?.path !== undefined) configuration.path = configuration.path.replace(/(?<=.)\/$/, '');
    }),
    'env-spaces': editEnvs('Returns the value of a variable with repeated spaces as one', (envs) =>
      envs.map((env) => ({ ...env, ...(env.value !== undefined && { value: env.value.replaceAll(/ +/g, ' ') }) })),
    ),
  },
});

const editValues = (envs: readonly Env[], edit: (value: string) => string): Env[] =>
  envs.map((env) => ({ ...env, ...(env.value !== undefined && { value: edit(env.value) }) }));

function editEnvs(what: string, edit: (envs: Env[]) => Env[]): Deviation {
  return changesUpdateResponse(what, ({ spec: { runtime } }) => {
    if (runtime?.envs !== undefined) runtime.envs = edit(runtime.envs);
  });
}

function editTriggers(what: string, edit: (trigger: Trigger) => void): Deviation {
  return changesUpdateResponse(what, ({ spec }) => {
    for (const trigger of spec.triggers ?? []) edit(trigger);
  });
}

const isJson = (text: string | undefined): text is string => /^(true|false|null|-?[1-9]\d*)$/.test(text ?? '');

function keepsWhereEmptied(field: 'volumes' | 'policies'): Deviation {
  return storesAndReturns(
    `Retains the ${field} of an agent if an update has an empty list`,
    (after, before, { spec }) =>
      spec?.[field]?.length === 0 ? { ...after, spec: { ...after.spec, [field]: before?.spec[field] } } : after,
  );
}
