/** Faults in who is served by an agent that is not enabled. */
import type { Context } from '../../context.ts';
import { routeOf } from '../../routes.ts';
import { findResource } from '../../world/resources.ts';
import type { Resource } from '../../world/resources.ts';
import { anew } from '../anew.ts';
import { tokenOf } from '../auth/faults.ts';
import { isFor } from '../deviation.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import { afterUpdates, agentName, change, isAccepted } from './faults.ts';

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

export const enabledDeviations: Deviations = {
  'agents.enabled.false-does-not-serve': serves('serves API keys though it is not enabled', ({ headers }) =>
    (headers.authorization ?? '').includes('svc-key-'),
  ),
  'agents.enabled.false-does-not-serve/roles': serves('serves members though it is not enabled', (ctx) => {
    const { namedCredentials } = ctx.state.world;
    return namedCredentials.some(({ name, token }) => name === 'member' && token === tokenOf(ctx));
  }),
  'agents.enabled.false-does-not-serve/threads': serves(
    'goes on with threads though it is not enabled',
    (ctx) => ctx.get(ctx.state.world.headers.threadId) !== '',
  ),
  'agents.enabled.false-does-not-serve/public': serves(
    'serves everybody though it is not enabled, where it is public',
    ({ headers }, { spec }) => spec['public'] === true && headers.authorization === undefined,
  ),
  'agents.enabled.false-does-not-serve/triggers': serves('serves its triggers though it is not enabled', (ctx) =>
    isFor(ctx, ['queryAgentTrigger']),
  ),
  'agents.enabled.false-does-not-serve/warm': serves(
    'serves though it is not enabled, where instances are kept warm',
    (_, { spec }) => (spec['runtime'] as { minScale?: number }).minScale === 1,
  ),
  'agents.enabled.false-does-not-serve/now-and-then': anew(
    'serves every eleventh call though it is not enabled',
    (what) => {
      let calls = 0;
      return serves(what, () => (calls += 1) % 11 === 0);
    },
  ),
  'agents.enabled.false-does-not-serve/for-good': anew(
    'serves no more once it was not enabled for the second time',
    (what) => {
      const times = new Map<string, number>();
      return afterUpdates(what, ({ spec }, ctx) => {
        if (!isAccepted(ctx)) return;
        const name = agentName(ctx);
        if (spec?.enabled === false) times.set(name, (times.get(name) ?? 0) + 1);
        else if ((times.get(name) ?? 0) > 1)
          change(ctx, (resource) => ({ ...resource, spec: { ...resource.spec, enabled: false } }));
      });
    },
  ),
};
