/** Deviations of the round trip of an agent: responses that differ from what was sent. */
import type { Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Env, Trigger } from '../../../spec/generated/types.ts';
import { isFromApiKey } from '../writes.ts';
import { changesUpdateResponse, isMk3, storesAndReturns } from './agent-updates.ts';

export const roundTripDeviations: Table = {
  'agents.update.round-trip': {
    'omits the labels of a disabled agent': changesUpdateResponse((returned) => {
      if (returned.spec.enabled === false) delete returned.metadata['labels'];
    }),
    'omits variables that are marked as secret': editEnvs((envs) => envs.filter(({ secret }) => secret !== true)),
    'omits all variables after the tenth': editEnvs((envs) => envs.slice(0, 10)),
    'omits all triggers after the fifth': changesUpdateResponse(({ spec }) => {
      if (spec.triggers !== undefined) spec.triggers = spec.triggers.slice(0, 5);
    }),
    'truncates the value of a variable to 1000 characters': editEnvs((envs) =>
      envs.map((env) => ({ ...env, ...(env.value !== undefined && { value: env.value.slice(0, 1000) }) })),
    ),
    'omits variables whose value is empty': editEnvs((envs) => envs.filter(({ value }) => value !== '')),
    'returns characters of four bytes in a variable as question marks': editEnvs((envs) =>
      envs.map(({ value, ...env }) => ({
        ...env,
        ...(value !== undefined && { value: value.replace(/[\u{10000}-\u{10ffff}]/gu, '?') }),
      })),
    ),
    'truncates the value of a variable at its second equals sign': editEnvs((envs) =>
      envs.map(({ value, ...env }) => ({
        ...env,
        ...(value !== undefined && { value: value.split('=').slice(0, 2).join('=') }),
      })),
    ),
    'trims the values of variables': editEnvs((envs) => editValues(envs, (value) => value.trim())),
    'returns tabs in a variable as spaces': editEnvs((envs) =>
      editValues(envs, (value) => value.replaceAll('\t', ' ')),
    ),
    'returns the value of a variable without zeros at its end': editEnvs((envs) =>
      editValues(envs, (value) => (/^\d+\.\d+$/.test(value) ? String(Number(value)) : value)),
    ),
    'serializes a JSON object in a variable again': editEnvs((envs) =>
      editValues(envs, (value) => (/^\{.*\}$/.test(value) ? JSON.stringify(JSON.parse(value)) : value)),
    ),
    'redacts the value of a variable whose name suggests a secret': editEnvs((envs) =>
      envs.map((env) => (/KEY|PASSWORD|SECRET|TOKEN/.test(env.name ?? '') ? { ...env, value: '***' } : env)),
    ),
    'returns display names in ASCII': changesUpdateResponse(({ metadata }) => {
      const { displayName } = metadata;
      if (typeof displayName === 'string') metadata['displayName'] = displayName.replace(/[^\x20-\x7e]/g, '?');
    }),
    'omits variables sent with an API key': changesUpdateResponse(({ spec }, _, ctx) => {
      if (isFromApiKey(ctx)) delete spec.runtime?.envs;
    }),
    'returns a retry of 3 as 2': changesUpdateResponse(({ spec }) => {
      for (const { configuration } of spec.triggers ?? []) if (configuration?.retry === 3) configuration.retry = 2;
    }),
    'omits the path of a disabled trigger': changesUpdateResponse(({ spec }) => {
      for (const { enabled, configuration } of spec.triggers ?? []) if (enabled === false) delete configuration?.path;
    }),
    'returns a read-only volume as writable': changesUpdateResponse(({ spec }) => {
      for (const volume of spec.volumes ?? []) volume.readOnly = false;
    }),
    'returns min scale 1 of an mk3 agent as 0': changesUpdateResponse(({ spec }, sent) => {
      if (isMk3(sent) && spec.runtime?.minScale === 1) spec.runtime.minScale = 0;
    }),
    'returns every volume as read-only': changesUpdateResponse(({ spec }) => {
      for (const volume of spec.volumes ?? []) volume.readOnly = true;
    }),
    'returns every volume with the mount path of the first': changesUpdateResponse(({ spec: { volumes = [] } }) => {
      for (const volume of volumes) Object.assign(volume, { mountPath: volumes[0]?.mountPath });
    }),
    'returns mount paths in lower case': changesUpdateResponse(({ spec }) => {
      for (const volume of spec.volumes ?? [])
        if (volume.mountPath !== undefined) volume.mountPath = volume.mountPath.toLowerCase();
    }),
    'retains the volumes of an agent if an update has an empty list': keepsWhereEmptied('volumes'),
    'retains the policies of an agent if an update has an empty list': keepsWhereEmptied('policies'),
    'returns the names of variables in upper case': editEnvs((envs) =>
      envs.map((env) => ({ ...env, ...(env.name !== undefined && { name: env.name.toUpperCase() }) })),
    ),
    'returns the value of a variable as parsed JSON': editEnvs((envs) =>
      envs.map((env) => ({ ...env, ...(isJson(env.value) && { value: JSON.parse(env.value) as string }) })),
    ),
    'returns a variable without the reference to its value': editEnvs((envs) =>
      envs.map(({ valueFrom: _, ...env }) => env),
    ),
    'truncates the id of a trigger to 32 characters': editTriggers((trigger) => {
      if (trigger.id !== undefined) trigger.id = trigger.id.slice(0, 32);
    }),
    'returns the default retry of 3 for 0': editTriggers(({ configuration }) => {
      if (configuration?.retry === 0) configuration.retry = 3;
    }),
    'returns a retry of more than 3 as 3': editTriggers(({ configuration }) => {
      if (configuration?.retry !== undefined) configuration.retry = Math.min(configuration.retry, 3);
    }),
    'returns a callbackUrl without its query': editTriggers(({ configuration }) => {
      if (configuration?.callbackUrl !== undefined)
        configuration.callbackUrl = configuration.callbackUrl.replace(/\?.*/, '');
    }),
    'omits enabled of an enabled agent with triggers': changesUpdateResponse(({ spec }) => {
      if ((spec.triggers ?? []).length > 0 && spec.enabled === true) delete spec.enabled;
    }),
    'omits min scale 0 of an agent with triggers': changesUpdateResponse(({ spec }) => {
      if (spec.runtime?.minScale === 0 && (spec.triggers ?? []).length > 0) delete spec.runtime.minScale;
    }),
    'omits an empty list of variables of an agent with triggers': changesUpdateResponse(({ spec }) => {
      if (spec.runtime?.envs?.length === 0 && (spec.triggers ?? []).length > 0) delete spec.runtime.envs;
    }),
    'returns more than two variables in reverse order': editEnvs((envs) =>
      envs.length > 2 && envs.every(({ secret }) => secret === undefined) ? envs.toReversed() : envs,
    ),
    'returns triggers of several types sorted by type': changesUpdateResponse(({ spec }) => {
      spec.triggers?.sort((a, b) => (a.type ?? '').localeCompare(b.type ?? ''));
    }),
    'returns memory rounded down to gigabytes': changesUpdateResponse(({ spec: { runtime } }) => {
      if (runtime?.memory !== undefined) runtime.memory -= runtime.memory % 1024;
    }),
    'returns canaryPercent rounded to tens': changesUpdateResponse(({ spec: { revision } }) => {
      if (revision?.canaryPercent !== undefined) revision.canaryPercent = Math.round(revision.canaryPercent / 10) * 10;
    }),
    'returns sessions in whole minutes': changesUpdateResponse(({ spec: { revision } }) => {
      const { stickySessionTtl: seconds = 0 } = revision ?? {};
      if (seconds > 60) Object.assign(revision ?? {}, { stickySessionTtl: seconds - (seconds % 60) });
    }),
    'returns trigger ids in lower case': editTriggers((trigger) => {
      if (trigger.id !== undefined) trigger.id = trigger.id.toLowerCase();
    }),
    'returns the path of a trigger decoded': editTriggers(({ configuration }) => {
      if (configuration?.path !== undefined) configuration.path = decodeURIComponent(configuration.path);
    }),
    'returns the path of a trigger without its last slash': editTriggers(({ configuration }) => {
      if (configuration?.path !== undefined) configuration.path = configuration.path.replace(/(?<=.)\/$/, '');
    }),
    'returns the value of a variable with repeated spaces as one': editEnvs((envs) =>
      envs.map((env) => ({ ...env, ...(env.value !== undefined && { value: env.value.replaceAll(/ +/g, ' ') }) })),
    ),
  },
};

const editValues = (envs: readonly Env[], edit: (value: string) => string): Env[] =>
  envs.map((env) => ({ ...env, ...(env.value !== undefined && { value: edit(env.value) }) }));

function editEnvs(edit: (envs: Env[]) => Env[]): Fault {
  return changesUpdateResponse(({ spec: { runtime } }) => {
    if (runtime?.envs !== undefined) runtime.envs = edit(runtime.envs);
  });
}

function editTriggers(edit: (trigger: Trigger) => void): Fault {
  return changesUpdateResponse(({ spec }) => {
    for (const trigger of spec.triggers ?? []) edit(trigger);
  });
}

const isJson = (text: string | undefined): text is string => /^(true|false|null|-?[1-9]\d*)$/.test(text ?? '');

function keepsWhereEmptied(field: 'volumes' | 'policies'): Fault {
  return storesAndReturns((after, before, { spec }) =>
    spec?.[field]?.length === 0 ? { ...after, spec: { ...after.spec, [field]: before?.spec[field] } } : after,
  );
}
