/** Deviations of disabled agents that serve requests. */
import { isFor, stateful, repliesWith, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { findResource } from '../../state/resources.ts';
import type { Resource } from '../../state/resources.ts';
import { tokenOf } from '../auth/conditions.ts';
import { change, isAccepted, isByBrandHeader } from '../writes.ts';
import { afterUpdates, agentName } from './agent-updates.ts';

type Serves = (ctx: Context, agent: Resource) => boolean;

/** Serves some requests that it should refuse. */
function serves(concerns: Serves): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, ['queryAgent', 'queryAgentTrigger']) || ctx.state.reply?.status !== 503) return;
      const agent = requestedAgent(ctx);
      if (agent?.spec['enabled'] !== false || !concerns(ctx, agent)) return;
      ctx.state.reply = { status: 200, body: { agent: agent.name, inputs: 'hello', output: 'hello' } };
    };
  return { kind: 'serve when disabled', condition: 'queryAgent, queryAgentTrigger', wrap };
}

function requestedAgent(ctx: Context): Resource | undefined {
  const { workspace = '', agent = '' } = routeOf(ctx)?.params ?? {};
  return findResource(ctx.state.world, `${workspace}/agents`, agent);
}

/** Enables an agent by updates that are refused with this status. */
function enabledInSpite(status: number, isConcerned: (ctx: Context) => boolean = () => true): Fault {
  return stateful(() => {
    const enabled = new Set<string>();
    const notes = afterUpdates(({ spec }, ctx) => {
      if (isAccepted(ctx)) enabled.delete(agentName(ctx));
      else if (ctx.state.reply?.status === status && spec?.enabled === true && isConcerned(ctx))
        enabled.add(agentName(ctx));
    });
    const { wrap } = serves((_, { name }) => enabled.has(name));
    return { kind: 'apply what is refused', condition: 'updateAgent', wrap: (app) => wrap(notes.wrap(app)) };
  });
}

/** Stops serving, without a visible change, after updates that would disable an agent and are refused with this status. */
function restsInSpite(status: number, isConcerned: (ctx: Context) => boolean = () => true): Fault {
  return stateful(() => {
    const resting = new Set<string>();
    const notes = afterUpdates(({ spec }, ctx) => {
      if (isAccepted(ctx)) resting.delete(agentName(ctx));
      else if (ctx.state.reply?.status === status && spec?.enabled === false && isConcerned(ctx))
        resting.add(agentName(ctx));
    });
    const rests = repliesWith((_, ctx) =>
      isFor(ctx, ['queryAgent']) && resting.has(requestedAgent(ctx)?.name ?? '')
        ? { status: 503, body: { error: 'not_serving', code: 503, message: 'The agent is not enabled.' } }
        : undefined,
    );
    return {
      kind: 'apply what is refused',
      condition: 'updateAgent',
      wrap: (app) => rests.wrap(notes.wrap(app)),
    };
  });
}

const namesVersion = (ctx: Context): boolean => ctx.get(ctx.state.world.headers.version) !== '';

export const enabledDeviations: Table = {
  'agents.enabled.false-does-not-serve': {
    'serves API keys although the agent is disabled': serves(({ headers }) =>
      (headers.authorization ?? '').includes('svc-key-'),
    ),
    'serves members although the agent is disabled': serves((ctx) => {
      const { namedCredentials } = ctx.state.world;
      return namedCredentials.some(({ name, token }) => name === 'member' && token === tokenOf(ctx));
    }),
    'continues threads although the agent is disabled': serves(
      (ctx) => ctx.get(ctx.state.world.headers.threadId) !== '',
    ),
    'serves everybody although the agent is disabled, if it is public': serves(
      ({ headers }, { spec }) => spec['public'] === true && headers.authorization === undefined,
    ),
    'serves triggers although the agent is disabled': serves((ctx) => isFor(ctx, ['queryAgentTrigger'])),
    'serves a disabled agent if instances are kept warm': serves(
      (_, { spec }) => (spec['runtime'] as { minScale?: number }).minScale === 1,
    ),
    'serves every eleventh call although the agent is disabled': stateful(() => {
      let calls = 0;
      return serves(() => (calls += 1) % 11 === 0);
    }),
    'serves requests by brand header although the agent is disabled': serves(isByBrandHeader),
    'enables an agent before it refuses the rest of an update': enabledInSpite(400, (ctx) => !namesVersion(ctx)),
    'enables an agent before it refuses the version of an update': enabledInSpite(400, namesVersion),
    'enables an agent before it checks the credential': enabledInSpite(401),
    'stops serving after a refused update that would disable the agent': restsInSpite(400, (ctx) => !namesVersion(ctx)),
    'stops serving after an update that would disable the agent but has a refused version': restsInSpite(
      400,
      namesVersion,
    ),
    'stops serving after an update without a credential that would disable the agent': restsInSpite(401),
    'continues to serve if the update that disables the agent has no runtime': stateful(() => {
      const disabled = new Set<string>();
      const notes = afterUpdates(({ spec }, ctx) => {
        if (!isAccepted(ctx)) return;
        if (spec?.enabled === false && spec.runtime === undefined) disabled.add(agentName(ctx));
        else disabled.delete(agentName(ctx));
      });
      const { wrap } = serves((_, { name }) => disabled.has(name));
      return { kind: 'serve when disabled', condition: 'queryAgent', wrap: (app) => wrap(notes.wrap(app)) };
    }),
    'stops serving once the agent was disabled twice': stateful(() => {
      const times = new Map<string, number>();
      return afterUpdates(({ spec }, ctx) => {
        if (!isAccepted(ctx)) return;
        const name = agentName(ctx);
        if (spec?.enabled === false) times.set(name, (times.get(name) ?? 0) + 1);
        else if ((times.get(name) ?? 0) > 1)
          change(ctx, name, (resource) => ({ ...resource, spec: { ...resource.spec, enabled: false } }));
      });
    }),
  },
};
