/** Deviations of disabled agents that serve requests. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { findResource } from '../../state/resources.ts';
import type { Resource } from '../../state/resources.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { tokenOf } from '../auth/conditions.ts';
import { isFor, repliesWith } from '../deviation.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import { change, isAccepted, isByBrandHeader } from '../writes.ts';
import { afterUpdates, agentName } from './agent-updates.ts';

type Serves = (ctx: Context, agent: Resource) => boolean;

/** Serves some requests that it should refuse. */
function serves(what: string, concerns: Serves): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, ['queryAgent', 'queryAgentTrigger']) || ctx.state.reply?.status !== 503) return;
      const agent = requestedAgent(ctx);
      if (agent?.spec['enabled'] !== false || !concerns(ctx, agent)) return;
      ctx.state.reply = { status: 200, body: { agent: agent.name, inputs: 'hello', output: 'hello' } };
    };
  return { what, effect: 'serve when disabled', condition: 'queryAgent, queryAgentTrigger', wrap };
}

function requestedAgent(ctx: Context): Resource | undefined {
  const { workspace = '', agent = '' } = routeOf(ctx)?.params ?? {};
  return findResource(ctx.state.world, `${workspace}/agents`, agent);
}

/** Enables an agent by updates that are refused with this status. */
function enabledInSpite(what: string, status: number, isConcerned: (ctx: Context) => boolean = () => true): Deviation {
  return statefulDeviation(what, () => {
    const enabled = new Set<string>();
    const notes = afterUpdates(what, ({ spec }, ctx) => {
      if (isAccepted(ctx)) enabled.delete(agentName(ctx));
      else if (ctx.state.reply?.status === status && spec?.enabled === true && isConcerned(ctx))
        enabled.add(agentName(ctx));
    });
    const { wrap } = serves(what, (_, { name }) => enabled.has(name));
    return { what, effect: 'apply what is refused', condition: 'updateAgent', wrap: (app) => wrap(notes.wrap(app)) };
  });
}

/** Stops serving, without a visible change, after updates that would disable an agent and are refused with this status. */
function restsInSpite(what: string, status: number, isConcerned: (ctx: Context) => boolean = () => true): Deviation {
  return statefulDeviation(what, () => {
    const resting = new Set<string>();
    const notes = afterUpdates(what, ({ spec }, ctx) => {
      if (isAccepted(ctx)) resting.delete(agentName(ctx));
      else if (ctx.state.reply?.status === status && spec?.enabled === false && isConcerned(ctx))
        resting.add(agentName(ctx));
    });
    const rests = repliesWith(what, (_, ctx) =>
      isFor(ctx, ['queryAgent']) && resting.has(requestedAgent(ctx)?.name ?? '')
        ? { status: 503, body: { error: 'not_serving', code: 503, message: 'The agent is not enabled.' } }
        : undefined,
    );
    return {
      what,
      effect: 'apply what is refused',
      condition: 'updateAgent',
      wrap: (app) => rests.wrap(notes.wrap(app)),
    };
  });
}

const namesVersion = (ctx: Context): boolean => ctx.get(ctx.state.world.headers.version) !== '';

export const enabledDeviations: Deviations = deviationsOf({
  'agents.enabled.false-does-not-serve': {
    '': serves('Serves API keys although the agent is disabled', ({ headers }) =>
      (headers.authorization ?? '').includes('svc-key-'),
    ),
    roles: serves('Serves members although the agent is disabled', (ctx) => {
      const { namedCredentials } = ctx.state.world;
      return namedCredentials.some(({ name, token }) => name === 'member' && token === tokenOf(ctx));
    }),
    threads: serves(
      'Continues threads although the agent is disabled',
      (ctx) => ctx.get(ctx.state.world.headers.threadId) !== '',
    ),
    public: serves(
      'Serves everybody although the agent is disabled, if it is public',
      ({ headers }, { spec }) => spec['public'] === true && headers.authorization === undefined,
    ),
    triggers: serves('Serves triggers although the agent is disabled', (ctx) => isFor(ctx, ['queryAgentTrigger'])),
    warm: serves(
      'Serves a disabled agent if instances are kept warm',
      (_, { spec }) => (spec['runtime'] as { minScale?: number }).minScale === 1,
    ),
    'now-and-then': statefulDeviation('Serves every eleventh call although the agent is disabled', (what) => {
      let calls = 0;
      return serves(what, () => (calls += 1) % 11 === 0);
    }),
    'brand-header': serves('Serves requests by brand header although the agent is disabled', isByBrandHeader),
    refused: enabledInSpite(
      'Enables an agent before it refuses the rest of an update',
      400,
      (ctx) => !namesVersion(ctx),
    ),
    'refused-version': enabledInSpite('Enables an agent before it refuses the version of an update', 400, namesVersion),
    'refused-caller': enabledInSpite('Enables an agent before it checks the credential', 401),
    'rests-refused': restsInSpite(
      'Stops serving after a refused update that would disable the agent',
      400,
      (ctx) => !namesVersion(ctx),
    ),
    'rests-refused-version': restsInSpite(
      'Stops serving after an update that would disable the agent but has a refused version',
      400,
      namesVersion,
    ),
    'rests-refused-caller': restsInSpite(
      'Stops serving after an update without a credential that would disable the agent',
      401,
    ),
    'without-runtime': statefulDeviation(
      'Continues to serve if the update that disables the agent has no runtime',
      (what) => {
        const disabled = new Set<string>();
        const notes = afterUpdates(what, ({ spec }, ctx) => {
          if (!isAccepted(ctx)) return;
          if (spec?.enabled === false && spec.runtime === undefined) disabled.add(agentName(ctx));
          else disabled.delete(agentName(ctx));
        });
        const { wrap } = serves(what, (_, { name }) => disabled.has(name));
        return { what, effect: 'serve when disabled', condition: 'queryAgent', wrap: (app) => wrap(notes.wrap(app)) };
      },
    ),
    'for-good': statefulDeviation('Stops serving once the agent was disabled twice', (what) => {
      const times = new Map<string, number>();
      return afterUpdates(what, ({ spec }, ctx) => {
        if (!isAccepted(ctx)) return;
        const name = agentName(ctx);
        if (spec?.enabled === false) times.set(name, (times.get(name) ?? 0) + 1);
        else if ((times.get(name) ?? 0) > 1)
          change(ctx, name, (resource) => ({ ...resource, spec: { ...resource.spec, enabled: false } }));
      });
    }),
  },
});
