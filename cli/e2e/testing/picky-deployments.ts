/** Deployments that refuse values which the interface does not define, and others that refuse a defined value. */
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { listOf } from './picky-target.ts';
import type { Fields, Refuses } from './picky-target.ts';
import {
  create,
  hasEqualIds,
  hasSchedule,
  hasTwoOfOneType,
  isText,
  someRevision,
  someRuntime,
  someTrigger,
  someVariable,
} from './refused-values.ts';

export interface Picky {
  readonly refuses: Refuses;
  /** Rules that must not fail. */
  readonly rules: readonly RequirementId[];
  /** What the reasons of those that are not tried contain. Absent: all are tried, with other values. */
  readonly sample?: string;
}

const roundTrip = ['agents.update.round-trip', 'agents.update.unknown-404'] as const;
const ofTriggers = [
  'agents.triggers.ids-distinct',
  'agents.triggers.callback-secret-is-the-servers',
  'agents.update.round-trip',
] as const;

export const picky: Readonly<Record<string, Picky>> = {
  'variables begin with APP_': { refuses: someVariable((name) => !name.startsWith('APP_')), rules: roundTrip },
  'variables have a name of the provider': {
    refuses: someVariable((name) => !name.startsWith('provider.')),
    rules: ['agents.update.wrong-type-400'],
    sample: 'samples.variables',
  },
  'variables that look like secrets are secret': {
    refuses: someVariable((name, _, { secret }) => /KEY|TOKEN|PASSWORD|SECRET/.test(name) && secret !== true),
    rules: roundTrip,
  },
  'secret variables, and no others, begin with SECRET_': {
    refuses: someVariable((name, _, { secret = false }) => secret !== name.startsWith('SECRET_')),
    rules: roundTrip,
  },
  'secret variables end in _SECRET and have one line': {
    refuses: someVariable(
      (name, value, { secret }) => secret === true && (!name.endsWith('_SECRET') || value.includes('\n')),
    ),
    rules: roundTrip,
  },
  'values of variables have one line': { refuses: someVariable((_, value) => value.includes('\n')), rules: roundTrip },
  'values of variables have at most 1000 characters': {
    refuses: someVariable((_, value) => value.length > 1000),
    rules: roundTrip,
  },
  'ids of triggers are UUIDs': {
    refuses: someTrigger(({ id }) => isText(id, /^(?![\da-f-]{36}$)./)),
    rules: ofTriggers,
  },
  'ids of triggers are like generated ones': {
    refuses: someTrigger(({ id }) => isText(id, /^(?!trigger-[\da-f]{8}$)./)),
    rules: ofTriggers,
  },
  'paths of triggers are below /hooks': {
    refuses: someTrigger((_, { path }) => isText(path, /^(?!\/hooks\/)/)),
    rules: ofTriggers,
  },
  'a cron trigger has tasks': {
    refuses: someTrigger(({ type }, { tasks }) => type === 'cron' && listOf(tasks).length === 0),
    rules: [...ofTriggers, 'agents.triggers.schedule-five-fields'],
  },
  'an http trigger has an authenticationType': {
    refuses: someTrigger(({ type }, { authenticationType }) => type === 'http' && authenticationType === undefined),
    rules: ofTriggers,
  },
  'an http trigger has an authenticationType and a path below /hooks': {
    refuses: someTrigger(
      ({ type }, { authenticationType, path }) =>
        isText(path, /^(?!\/hooks\/)/) || (type === 'http' && authenticationType === undefined),
    ),
    rules: ofTriggers,
  },
  'a cron trigger has tasks and is due once a day at most': {
    refuses: (body, request) =>
      picky['a cron trigger has tasks']!.refuses(body, request) || hasSchedule(/^\d+ \d+ /)(body, request),
    rules: ['agents.triggers.schedule-five-fields', 'agents.update.round-trip'],
  },
  'values of variables are ASCII': {
    refuses: someVariable((_, value) => /[^\0-\x7f]/.test(value)),
    rules: ['agents.update.round-trip'],
  },
  'schedules are not due at the full hour': {
    refuses: hasSchedule(/^(?:[1-9]|\*\/5 )/),
    rules: ['agents.triggers.schedule-five-fields', 'agents.update.round-trip'],
  },
  'tasks have a known kind': {
    refuses: someTrigger((_, { tasks }) => listOf(tasks).some(({ kind }) => kind !== 'known')),
    rules: ['agents.triggers.accepted-tasks-returned'],
    sample: 'samples.tasks',
  },
  'callbacks go to a registered host': {
    refuses: someTrigger((_, { callbackUrl }) => isText(callbackUrl, /^(?!https:\/\/registered\.)/)),
    rules: ['agents.triggers.timeout-at-most-900', 'agents.triggers.callback-secret-is-the-servers'],
    sample: 'samples.callbackUrl',
  },
  'an agent has one trigger of each type': {
    refuses: hasTwoOfOneType,
    rules: ['agents.triggers.ids-distinct'],
  },
  'an agent has one trigger': {
    refuses: ({ spec }, { path }) => path.includes('/agents/') && listOf(spec['triggers']).length > 1,
    rules: ['agents.update.round-trip'],
  },
  'an http trigger has a path': {
    refuses: someTrigger(({ type }, { path }) => type !== 'cron' && path === undefined),
    rules: ['agents.update.round-trip'],
  },
  'schedules are due once a month at most': {
    refuses: hasSchedule(/^\d+ \d+ \d+ /),
    rules: ['agents.update.round-trip'],
  },
  'triggers retry at least once': {
    refuses: someTrigger((_, { retry }) => retry === 0),
    rules: ['agents.update.round-trip'],
  },
  'sticky sessions last an hour at most': {
    refuses: someRevision(({ stickySessionTtl }) => Number(stickySessionTtl) > 3600),
    rules: ['agents.update.round-trip'],
  },
  'sticky sessions are disabled': {
    refuses: someRevision(({ stickySessionTtl }) => Number(stickySessionTtl) > 0),
    rules: ['agents.update.round-trip'],
  },
  'triggers retry at most twice': {
    refuses: someTrigger((_, { retry }) => Number(retry ?? 0) > 2),
    rules: ofTriggers,
  },
  'timeouts are whole minutes': {
    refuses: someTrigger((_, { timeout }) => Number(timeout) <= 900 && Number(timeout) % 60 !== 0),
    rules: ['agents.triggers.timeout-at-most-900', 'agents.update.round-trip'],
  },
  'schedules are due once a day at most': {
    refuses: hasSchedule(/^\d+ \d+ /),
    rules: ['agents.triggers.schedule-five-fields', 'agents.update.round-trip'],
  },
  'schedules are due at quarters of an hour': {
    refuses: hasSchedule(/^(?:0|15|30|45) /),
    rules: ['agents.triggers.schedule-five-fields', 'agents.update.round-trip'],
  },
  'schedules are due on the second day of a month': {
    refuses: hasSchedule(/^\d+ \d+ 2 \* \*$/),
    rules: ['agents.triggers.schedule-five-fields'],
    sample: 'samples.schedule',
  },
  'a disabled agent has no warm instances': {
    refuses: ({ spec }, { path }) =>
      path.includes('/agents/') &&
      spec['enabled'] === false &&
      Number((spec['runtime'] as Fields | undefined)?.['minScale'] ?? 0) > 0,
    rules: ['agents.update.round-trip'],
  },
  'a VPC has a region': {
    refuses: create('vpcs', ({ region }) => region === undefined),
    rules: ['vpcs.create.answers-resource'],
  },
  'a VPC has a certain region': {
    refuses: create('vpcs', ({ region }) => region !== 'north'),
    rules: ['vpcs.create.answers-resource', 'vpcs.create.envelope-required'],
    sample: 'samples.vpcSpec',
  },
  'a function has an image': {
    refuses: create('functions', ({ runtime }) => (runtime as Fields)['image'] === undefined),
    rules: ['functions.create.with-connection'],
  },
  'a function has an image of its registry': {
    refuses: create('functions', ({ runtime }) => !isText((runtime as Fields)['image'], /^registry\//)),
    rules: ['functions.create.with-connection'],
    sample: 'samples.functionSpec',
  },
  'the provider knows the secret of a connection': {
    refuses: create('connections', ({ secret }) => !isText((secret as Fields)['CLIENT_ID'], /^known/)),
    rules: ['integrations.connections.create-succeeds', 'integrations.connections.secret-rules'],
    sample: 'samples.connectionSecrets',
  },
  'a client secret has eight letters and digits': {
    refuses: create('connections', ({ secret }) => !isText((secret as Fields)['CLIENT_SECRET'], /^[\w-]{8,}$/)),
    rules: ['integrations.connections.create-succeeds'],
  },
};

/** Properties that the interface defines, each broken in one respect. */
export const broken: Readonly<Record<string, readonly [Refuses, RequirementId]>> = {
  'refuses names of 49 characters': [
    create('vpcs', (_, { name }) => isText(name, /^.{49}$/)),
    'naming.name.at-most-49',
  ],
  'refuses a displayName of 63 characters': [
    create('functions', (_, { displayName }) => isText(displayName, /^.{63}$/s)),
    'naming.display-name.up-to-63-accepted',
  ],
  'refuses a timeout of 900': [someTrigger((_, { timeout }) => timeout === 900), 'agents.triggers.timeout-at-most-900'],
  'refuses disabled agents': [
    ({ spec }, { path }) => path.includes('/agents/') && spec['enabled'] === false,
    'agents.update.round-trip',
  ],
  'refuses disabled triggers': [someTrigger(({ enabled }) => enabled === false), 'agents.update.round-trip'],
  'refuses secret variables': [someVariable((_, __, { secret }) => secret === true), 'agents.update.round-trip'],
  'refuses variables that are not secret': [
    someVariable((_, __, { secret }) => secret === false),
    'agents.update.round-trip',
  ],
  'refuses an async trigger without callbackUrl': [
    someTrigger(({ type }, { callbackUrl }) => type === 'http-async' && callbackUrl === undefined),
    'agents.update.round-trip',
  ],
  'refuses two triggers of one id': [hasEqualIds, 'agents.triggers.ids-distinct'],
  'refuses two triggers of one id and two of one type': [
    (body, request) => hasEqualIds(body, request) || hasTwoOfOneType(body, request),
    'agents.triggers.ids-distinct',
  ],
  'refuses ids of triggers': [someTrigger(({ id }) => isText(id, /./)), 'agents.triggers.ids-distinct'],
  'refuses a disabled trigger with the id a': [
    someTrigger((trigger) => trigger['id'] === 'a' && trigger['enabled'] === false),
    'agents.triggers.ids-distinct',
  ],
  'refuses every timeout below 900': [
    someTrigger((_, { timeout }) => Number(timeout) < 900),
    'agents.triggers.timeout-at-most-900',
  ],
  'refuses every retry': [someTrigger((_, { retry }) => retry !== undefined), 'agents.update.round-trip'],
  'refuses every trigger': [someTrigger(() => true), 'agents.update.round-trip'],
  'refuses http triggers': [someTrigger(({ type }) => type === 'http'), 'agents.update.round-trip'],
  'refuses http-async triggers': [someTrigger(({ type }) => type === 'http-async'), 'agents.update.round-trip'],
  'refuses http-async triggers of mk3': [
    (body, request) =>
      (body.spec['runtime'] as Fields | undefined)?.['generation'] === 'mk3' &&
      someTrigger(({ type }) => type === 'http-async')(body, request),
    'agents.update.round-trip',
  ],
  'refuses cron triggers': [someTrigger(({ type }) => type === 'cron'), 'agents.update.round-trip'],
  'refuses every stickySessionTtl': [
    someRevision(({ stickySessionTtl }) => stickySessionTtl !== undefined),
    'agents.update.round-trip',
  ],
  'refuses a stickySessionTtl of 0': [
    someRevision(({ stickySessionTtl }) => stickySessionTtl === 0),
    'agents.update.round-trip',
  ],
  'refuses a minScale of 0': [someRuntime(({ minScale }) => minScale === 0), 'agents.update.round-trip'],
  'refuses ranges in schedules': [
    someTrigger((_, { schedule }) => isText(schedule, /\d-\d/)),
    'agents.triggers.schedule-five-fields',
  ],
};
