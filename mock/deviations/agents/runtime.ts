/** Deviations of generations and of the deployment that an update triggers. */
import { isDeepStrictEqual } from 'node:util';
import { stateful } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Resource } from '../../state/resources.ts';
import { isFromApiKey } from '../writes.ts';
import type { AppliesTo } from '../writes.ts';
import {
  acceptsUpdate,
  changesLaterResponses,
  isMk3,
  storesAndReturns,
  withInRuntime,
  storedInPart,
} from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';

const generationOf = ({ spec }: SentAgent): string => {
  const generation: unknown = spec?.runtime?.generation;
  return typeof generation === 'string' ? generation : '';
};

const ofMk2 = (sent: SentAgent): object => withInRuntime(sent, { generation: 'mk2' });
const accepted = (is: (generation: string) => boolean) => acceptsUpdate((sent) => is(generationOf(sent)), ofMk2);

const withOld = (after: Resource, before: Resource | undefined): Resource =>
  before === undefined ? after : { ...after, deployments: before.deployments };

const deploys = (isLeftAsItWas: AppliesTo<SentAgent>) =>
  storesAndReturns((after, before, sent, ctx) => (isLeftAsItWas(sent, ctx) ? withOld(after, before) : after));

const deploysNothingIfOnly = (field: 'labels' | 'displayName') =>
  storesAndReturns((after, before) => {
    const isOnly = before !== undefined && isDeepStrictEqual(before.spec, after.spec);
    return isOnly && !isDeepStrictEqual(before.metadata[field], after.metadata[field]) ? withOld(after, before) : after;
  });

/** The generation is stored or returned after an update with an empty one. */
const isEmpty = ({ spec }: SentAgent): boolean => (spec?.runtime?.generation as unknown) === '';
const acceptsEmpty = (returned: string) =>
  acceptsUpdate(isEmpty, ofMk2, ({ spec }) => {
    spec.runtime = { ...spec.runtime, generation: returned as 'mk2' };
  });

/** Adds a policy that no client sent. */
const addsPolicy = (applies: AppliesTo<SentAgent>) =>
  storesAndReturns((after, _, sent, ctx) =>
    applies(sent, ctx) ? { ...after, spec: { ...after.spec, policies: ['default-policy'] } } : after,
  );

export const runtimeDeviations: Table = {
  'agents.runtime.empty-generation': {
    'accepts an empty generation and returns it': acceptsEmpty(''),
    'returns default for an empty generation': acceptsEmpty('default'),
    'returns mk1 for an empty generation': acceptsEmpty('mk1'),
  },
  'agents.update.policies-sent-only': {
    'adds a policy to agents with triggers': addsPolicy(({ spec }) => spec?.triggers !== undefined),
    'adds a default policy if the list is empty': addsPolicy(({ spec }) => spec?.policies?.length === 0),
    'adds a policy to mk3 agents with variables': addsPolicy(
      (sent) => isMk3(sent) && sent.spec?.runtime?.envs !== undefined,
    ),
    'returns a policy only when an agent is read': changesLaterResponses(
      () => {},
      ({ spec }) => {
        spec.policies = [...(spec.policies ?? []), 'default-policy'];
      },
    ),
  },
  'agents.runtime.generation-known': {
    'accepts mk1 as a generation': accepted((generation) => generation === 'mk1'),
    'accepts MK2 and MK3 as generations': accepted((generation) => ['mk2', 'mk3'].includes(generation.toLowerCase())),
    'accepts generations that start with mk3': accepted((generation) => generation.startsWith('mk3')),
    'accepts any generation from API keys': acceptsUpdate(
      (sent, ctx) => generationOf(sent) !== '' && isFromApiKey(ctx),
      ofMk2,
    ),
    'does not validate the generation of a disabled agent': acceptsUpdate(({ spec }) => spec?.enabled === false, ofMk2),
    ...storedInPart(
      'its generation',
      (sent) => !['', 'mk2', 'mk3'].includes(generationOf(sent)),
      'triggers',
      'metadata',
    ),
  },

  'agents.update.triggers-deployment': {
    'deploys nothing if an update only scales an agent': deploys(({ spec }) => {
      const { maxScale, envs } = spec?.runtime ?? {};
      return maxScale !== undefined && envs === undefined;
    }),
    'deploys nothing if an update sets variables': deploys(({ spec }) => spec?.runtime?.envs !== undefined),
    'deploys nothing if an mk3 agent is updated': deploys(isMk3),
    'deploys nothing if an update has triggers': deploys(({ spec }) => spec?.triggers !== undefined),
    'deploys nothing if only labels change': deploysNothingIfOnly('labels'),
    'deploys nothing if only the displayName changes': deploysNothingIfOnly('displayName'),
    'deploys nothing for every second mk2 update': stateful(() => {
      let updates = 0;
      return deploys((sent) => !isMk3(sent) && (updates += 1) % 2 === 0);
    }),
  },
};
