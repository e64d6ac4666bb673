/** Deviations of the round trip of an agent: responses that differ from what was sent. */
import type { Env, Trigger, VolumeAttachment } from '../../../spec/generated/types.ts';
import { ofDisabledAgent, ofMk3, returned } from '../conditions.ts';
import { omit, returns, type Effect, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import { byApiKey } from '../auth/conditions.ts';
import { refusesUpdate, storesAndReturns } from './agent-updates.ts';

/** Returns another value at a path of the agent. */
const changes = (path: string, edit: (value: never) => unknown): Effect => returns('updateAgent', path, edit);
const envs = (edit: (envs: Env[]) => Env[]): Effect => changes('spec.runtime.envs', edit);
const values = (edit: (value: string) => string): Effect => changes('spec.runtime.envs[].value', edit);
const setting = (name: string, edit: (value: never) => unknown): Effect =>
  changes(`spec.triggers[].configuration.${name}`, edit);

const withTriggers = returned('spec.triggers[]', 'of an agent with triggers', (first) => first !== undefined);
const isJson = (text: string): boolean => /^(true|false|null|-?[1-9]\d*)$/.test(text);

export const roundTripDeviations: Table = {
  'agents.update.round-trip': {
    'omits the labels of a disabled agent': [ofDisabledAgent, changes('metadata.labels', omit)],
    'omits variables that are marked as secret': envs((all) => all.filter(({ secret }) => secret !== true)),
    'omits all variables after the tenth': envs((all) => all.slice(0, 10)),
    'omits all triggers after the fifth': changes('spec.triggers', (all: Trigger[]) => all.slice(0, 5)),
    'truncates the value of a variable to 1000 characters': values((value) => value.slice(0, 1000)),
    'omits variables whose value is empty': envs((all) => all.filter(({ value }) => value !== '')),
    'returns characters of four bytes in a variable as question marks': values((value) =>
      value.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
    ),
    'truncates the value of a variable at its second equals sign': values((value) =>
      value.split('=').slice(0, 2).join('='),
    ),
    'trims the values of variables': values((value) => value.trim()),
    'returns tabs in a variable as spaces': values((value) => value.replaceAll('\t', ' ')),
    'returns the value of a variable without zeros at its end': values((value) =>
      /^\d+\.\d+$/.test(value) ? String(Number(value)) : value,
    ),
    'serializes a JSON object in a variable again': values((value) =>
      /^\{.*\}$/.test(value) ? JSON.stringify(JSON.parse(value)) : value,
    ),
    'redacts the value of a variable whose name suggests a secret': envs((all) =>
      all.map((env) => (/KEY|PASSWORD|SECRET|TOKEN/.test(env.name ?? '') ? { ...env, value: '***' } : env)),
    ),
    'returns display names in ASCII': changes('metadata.displayName', (text: string) =>
      text.replace(/[^\x20-\x7e]/g, '?'),
    ),
    'omits variables sent with an API key': [byApiKey, changes('spec.runtime.envs', omit)],
    'returns a retry of 3 as 2': setting('retry', (retry) => (retry === 3 ? 2 : retry)),
    'omits the path of a disabled trigger': changes('spec.triggers[]', ({ configuration, ...trigger }: Trigger) =>
      trigger.enabled === false
        ? { ...trigger, configuration: { ...configuration, path: undefined } }
        : { ...trigger, configuration },
    ),
    'returns a read-only volume as writable': changes('spec.volumes[].readOnly', () => false),
    'returns min scale 1 of an mk3 agent as 0': [
      ofMk3,
      changes('spec.runtime.minScale', (min) => (min === 1 ? 0 : min)),
    ],
    'returns every volume as read-only': changes('spec.volumes[].readOnly', () => true),
    'returns every volume with the mount path of the first': changes('spec.volumes', (all: VolumeAttachment[]) =>
      all.map((volume) => ({ ...volume, mountPath: all[0]?.mountPath })),
    ),
    'returns mount paths in lower case': changes('spec.volumes[].mountPath', (path: string) => path.toLowerCase()),
    'retains the volumes of an agent if an update has an empty list': keepsWhereEmptied('volumes'),
    'retains the policies of an agent if an update has an empty list': keepsWhereEmptied('policies'),
    'returns the names of variables in upper case': changes('spec.runtime.envs[].name', (name: string) =>
      name.toUpperCase(),
    ),
    'returns the value of a variable as parsed JSON': values((value) =>
      isJson(value) ? (JSON.parse(value) as string) : value,
    ),
    'returns a variable without the reference to its value': changes('spec.runtime.envs[].valueFrom', omit),
    'truncates the id of a trigger to 32 characters': changes('spec.triggers[].id', (id: string) => id.slice(0, 32)),
    'returns the default retry of 3 for 0': setting('retry', (retry) => (retry === 0 ? 3 : retry)),
    'returns a retry of more than 3 as 3': setting('retry', (retry) => Math.min(retry, 3)),
    'returns a callbackUrl without its query': setting('callbackUrl', (url: string) => url.replace(/\?.*/, '')),
    'omits enabled of an enabled agent with triggers': [
      withTriggers,
      changes('spec.enabled', (enabled) => (enabled === true ? undefined : enabled)),
    ],
    'omits min scale 0 of an agent with triggers': [
      withTriggers,
      changes('spec.runtime.minScale', (min) => (min === 0 ? undefined : min)),
    ],
    'omits an empty list of variables of an agent with triggers': [
      withTriggers,
      changes('spec.runtime.envs', (all: Env[]) => (all.length === 0 ? undefined : all)),
    ],
    'returns memory rounded down to gigabytes': changes(
      'spec.runtime.memory',
      (memory: number) => memory - (memory % 1024),
    ),
    'returns canaryPercent rounded to tens': changes(
      'spec.revision.canaryPercent',
      (percent) => Math.round(percent / 10) * 10,
    ),
    'returns 500 for a minScale of 0': refusesUpdate(({ spec }) => spec?.runtime?.minScale === 0, 500),
    'returns 500 for a stickySessionTtl of 0': refusesUpdate(({ spec }) => spec?.revision?.stickySessionTtl === 0, 500),
    'returns sessions in whole minutes': changes('spec.revision.stickySessionTtl', (seconds: number) =>
      seconds > 60 ? seconds - (seconds % 60) : seconds,
    ),
    'returns trigger ids in lower case': changes('spec.triggers[].id', (id: string) => id.toLowerCase()),
    'returns the path of a trigger decoded': setting('path', decodeURIComponent),
    'returns the path of a trigger without its last slash': setting('path', (path: string) =>
      path.replace(/(?<=.)\/$/, ''),
    ),
    'returns the value of a variable with repeated spaces as one': values((value) => value.replaceAll(/ +/g, ' ')),
  },
};

function keepsWhereEmptied(field: 'volumes' | 'policies'): Fault {
  return storesAndReturns((after, before, { spec }) =>
    spec?.[field]?.length === 0 ? { ...after, spec: { ...after.spec, [field]: before?.spec[field] } } : after,
  );
}
