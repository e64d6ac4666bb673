/** Faults in who is served by an agent that is not enabled. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { findResource } from '../../state/resources.ts';
import type { Resource } from '../../state/resources.ts';
import { anew } from '../anew.ts';
import { tokenOf } from '../auth/faults.ts';
import { isFor, repliesWith } from '../deviation.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import { change, isAccepted, isByBrandHeader } from '../writes.ts';
import { afterUpdates, agentName } from './faults.ts';

type Serves = (ctx: Context, agent: Resource) => boolean;

/** Answers some of what it should not serve. */
function serves(what: string, concerns: Serves): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, ['queryAgent', 'queryAgentTrigger']) || ctx.state.reply?.status !== 503) return;
      const agent = askedOf(ctx);
      if (agent?.spec['enabled'] !== false || !concerns(ctx, agent)) return;
      ctx.state.reply = { status: 200, body: { agent: agent.name, inputs: 'hello', output: 'hello' } };
    };
  return { what, wrap };
}

function askedOf(ctx: Context): Resource | undefined {
  const { workspace = '', agent = '' } = routeOf(ctx)?.params ?? {};
  return findResource(ctx.state.world, `${workspace}/agents`, agent);
}

/** Lets updates enable an agent that it refuses for this status. */
function enabledInSpite(what: string, status: number, isConcerned: (ctx: Context) => boolean = () => true): Deviation {
  return anew(what, () => {
    const enabled = new Set<string>();
    const notes = afterUpdates(what, ({ spec }, ctx) => {
      if (isAccepted(ctx)) enabled.delete(agentName(ctx));
      else if (ctx.state.reply?.status === status && spec?.enabled === true && isConcerned(ctx))
        enabled.add(agentName(ctx));
    });
    const { wrap } = serves(what, (_, { name }) => enabled.has(name));
    return { what, wrap: (app) => wrap(notes.wrap(app)) };
  });
}

/** Serves no more, whatever it shows, after updates that would disable an agent and are refused with this status. */
function restsInSpite(what: string, status: number, isConcerned: (ctx: Context) => boolean = () => true): Deviation {
  return anew(what, () => {
    const resting = new Set<string>();
    const notes = afterUpdates(what, ({ spec }, ctx) => {
      if (isAccepted(ctx)) resting.delete(agentName(ctx));
      else if (ctx.state.reply?.status === status && spec?.enabled === false && isConcerned(ctx))
        resting.add(agentName(ctx));
    });
    const rests = repliesWith(what, (_, ctx) =>
      isFor(ctx, ['queryAgent']) && resting.has(askedOf(ctx)?.name ?? '')
        ? { status: 503, body: { error: 'not_serving', code: 503, message: 'The agent is not enabled.' } }
        : undefined,
    );
    return { what, wrap: (app) => rests.wrap(notes.wrap(app)) };
  });
}

const namesVersion = (ctx: Context): boolean => ctx.get(ctx.state.world.headers.version) !== '';

export const enabledDeviations: Deviations = deviationsOf({
  'agents.enabled.false-does-not-serve': {
    '': serves('serves API keys though it is not enabled', ({ headers }) =>
      (headers.authorization ?? '').includes('svc-key-'),
    ),
    roles: serves('serves members though it is not enabled', (ctx) => {
      const { namedCredentials } = ctx.state.world;
      return namedCredentials.some(({ name, token }) => name === 'member' && token === tokenOf(ctx));
    }),
    threads: serves(
      'goes on with threads though it is not enabled',
      (ctx) => ctx.get(ctx.state.world.headers.threadId) !== '',
    ),
    public: serves(
      'serves everybody though it is not enabled, where it is public',
      ({ headers }, { spec }) => spec['public'] === true && headers.authorization === undefined,
    ),
    triggers: serves('serves its triggers though it is not enabled', (ctx) => isFor(ctx, ['queryAgentTrigger'])),
    warm: serves(
      'serves though it is not enabled, where instances are kept warm',
      (_, { spec }) => (spec['runtime'] as { minScale?: number }).minScale === 1,
    ),
    'now-and-then': anew('serves every eleventh call though it is not enabled', (what) => {
      let calls = 0;
      return serves(what, () => (calls += 1) % 11 === 0);
    }),
    'brand-header': serves('serves by the header of the brand though it is not enabled', isByBrandHeader),
    refused: enabledInSpite(
      'enables an agent before it refuses the rest of an update',
      400,
      (ctx) => !namesVersion(ctx),
    ),
    'refused-version': enabledInSpite('enables an agent before it refuses the version of an update', 400, namesVersion),
    'refused-caller': enabledInSpite('enables an agent before it asks who wants that', 401),
    'rests-refused': restsInSpite(
      'serves no more after an update that would disable it and is refused for the rest',
      400,
      (ctx) => !namesVersion(ctx),
    ),
    'rests-refused-version': restsInSpite(
      'serves no more after an update that would disable it and is refused for its version',
      400,
      namesVersion,
    ),
    'rests-refused-caller': restsInSpite(
      'serves no more after an update without a credential that would disable it',
      401,
    ),
    'without-runtime': anew('serves on where the update that disables it has no runtime', (what) => {
      const disabled = new Set<string>();
      const notes = afterUpdates(what, ({ spec }, ctx) => {
        if (!isAccepted(ctx)) return;
        if (spec?.enabled === false && spec.runtime === undefined) disabled.add(agentName(ctx));
        else disabled.delete(agentName(ctx));
      });
      const { wrap } = serves(what, (_, { name }) => disabled.has(name));
      return { what, wrap: (app) => wrap(notes.wrap(app)) };
    }),
    'for-good': anew('serves no more once it was not enabled for the second time', (what) => {
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
