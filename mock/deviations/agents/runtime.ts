/** Deviations of generations and of the deployment that an update triggers. */
import { deviationsOf } from '../table.ts';
import type { Resource } from '../../state/resources.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import type { Deviations } from '../deviation.ts';
import { isFromApiKey } from '../writes.ts';
import type { AppliesTo } from '../writes.ts';
import {
  acceptsUpdate,
  changesLaterResponses,
  isMk3,
  storesAndReturns,
  storesRefusedUpdate,
  withInRuntime,
  withMembers,
} from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';

const generationOf = ({ spec }: SentAgent): string => {
  const generation: unknown = spec?.runtime?.generation;
  return typeof generation === 'string' ? generation : '';
};

const ofMk2 = (sent: SentAgent): object => withInRuntime(sent, { generation: 'mk2' });
const accepted = (what: string, is: (generation: string) => boolean) =>
  acceptsUpdate(what, (sent) => is(generationOf(sent)), ofMk2);

const withOld = (after: Resource, before: Resource | undefined): Resource =>
  before === undefined ? after : { ...after, deployments: before.deployments };

const deploys = (what: string, isLeftAsItWas: AppliesTo<SentAgent>) =>
  storesAndReturns(what, (after, before, sent, ctx) => (isLeftAsItWas(sent, ctx) ? withOld(after, before) : after));

/** The generation is stored or returned after an update with an empty one. */
const isEmpty = ({ spec }: SentAgent): boolean => (spec?.runtime?.generation as unknown) === '';
const acceptsEmpty = (what: string, returned: string) =>
  acceptsUpdate(what, isEmpty, ofMk2, ({ spec }) => {
    spec.runtime = { ...spec.runtime, generation: returned as 'mk2' };
  });

/** Adds a policy that no client sent. */
const addsPolicy = (what: string, applies: AppliesTo<SentAgent>) =>
  storesAndReturns(what, (after, _, sent, ctx) =>
    applies(sent, ctx) ? { ...after, spec: { ...after.spec, policies: ['default-policy'] } } : after,
  );

export const runtimeDeviations: Deviations = deviationsOf({
  'agents.runtime.empty-generation': {
    '': acceptsEmpty('Accepts an empty generation and returns it', ''),
    default: acceptsEmpty('Returns default for an empty generation', 'default'),
    number: acceptsEmpty('Returns mk1 for an empty generation', 'mk1'),
  },
  'agents.update.policies-sent-only': {
    '': addsPolicy('Adds a policy to agents with triggers', ({ spec }) => spec?.triggers !== undefined),
    empty: addsPolicy('Adds a default policy if the list is empty', ({ spec }) => spec?.policies?.length === 0),
    mk3: addsPolicy(
      'Adds a policy to mk3 agents with variables',
      (sent) => isMk3(sent) && sent.spec?.runtime?.envs !== undefined,
    ),
    read: changesLaterResponses(
      'Returns a policy only when an agent is read',
      () => {},
      ({ spec }) => {
        spec.policies = [...(spec.policies ?? []), 'default-policy'];
      },
    ),
  },
  'agents.runtime.generation-known': {
    '': accepted('Accepts mk1 as a generation', (generation) => generation === 'mk1'),
    'letter-case': accepted('Accepts MK2 and MK3 as generations', (generation) =>
      ['mk2', 'mk3'].includes(generation.toLowerCase()),
    ),
    longer: accepted('Accepts generations that start with mk3', (generation) => generation.startsWith('mk3')),
    'api-key': acceptsUpdate(
      'Accepts any generation from API keys',
      (sent, ctx) => generationOf(sent) !== '' && isFromApiKey(ctx),
      ofMk2,
    ),
    'not-enabled': acceptsUpdate(
      'Does not validate the generation of a disabled agent',
      ({ spec }) => spec?.enabled === false,
      ofMk2,
    ),
    'in-spite-triggers': storesRefusedUpdate(
      'Sets the triggers of an update refused for its generation',
      (sent) => !['', 'mk2', 'mk3'].includes(generationOf(sent)),
      withMembers('triggers'),
    ),
    'in-spite': storesRefusedUpdate(
      'Stores the metadata of an update refused for its generation',
      (sent) => !['', 'mk2', 'mk3'].includes(generationOf(sent)),
    ),
  },

  'agents.update.triggers-deployment': {
    '': deploys('Deploys nothing if an update only scales an agent', ({ spec }) => {
      const { maxScale, envs } = spec?.runtime ?? {};
      return maxScale !== undefined && envs === undefined;
    }),
    variables: deploys('Deploys nothing if an update sets variables', ({ spec }) => spec?.runtime?.envs !== undefined),
    mk3: deploys('Deploys nothing if an mk3 agent is updated', isMk3),
    triggers: deploys('Deploys nothing if an update has triggers', ({ spec }) => spec?.triggers !== undefined),
    'second-time': statefulDeviation('Deploys nothing for every second mk2 update', (what) => {
      let updates = 0;
      return deploys(what, (sent) => !isMk3(sent) && (updates += 1) % 2 === 0);
    }),
  },
});
