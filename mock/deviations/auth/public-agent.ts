/** Deviations of which agents accept queries without a credential, and when. */
import { runWithBody, sentBody, stateful, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { statusAt } from '../../state/deployments.ts';
import { putResource, type Resource } from '../../state/resources.ts';
import { all, when, on } from '../conditions.ts';
import { staysOpen } from '../agents/omitted-members.ts';
import { agentOf, anonymous, inHeader, statusIs, unknownToken } from './conditions.ts';
import { bypassAuth, deny, respond, runAsAdmin } from './effects.ts';

const query = on('queryAgent');
const update = on('updateAgent');
const isQuery = query.holds;
const isUpdate = update.holds;
const isAnonymous = anonymous.holds;
const isAccepted = statusIs(200).holds;

const isPublic = (ctx: Context): boolean => agentOf(ctx)?.agent.spec['public'] === true;
const publicAgent = when('a public agent', isPublic);
const anonymousQuery = all(query, anonymous);

const inThread = when('in a thread', (ctx) => ctx.get(ctx.state.world.headers.threadId) !== '');

const anyPublic = when('any public agent', ({ state: { world } }) =>
  [...(world.resources.get(`${world.target.workspace}/agents`)?.values() ?? [])].some(
    ({ spec }) => spec['public'] === true,
  ),
);

interface Sent {
  readonly spec?: {
    readonly public?: unknown;
    readonly triggers?: unknown;
    readonly runtime?: { generation?: unknown };
  };
}

const sentTo = async (ctx: Context): Promise<Sent> => (await sentBody(ctx)) ?? {};

/** Remembers agents by name when updates are accepted, and opens some of them to every caller. */
function remembers(
  note: (names: Map<string, number>, name: string, isPublicNow: boolean) => void,
  isOpen: (times: number, ctx: Context) => boolean,
): Fault {
  return stateful(() => {
    const names = new Map<string, number>();
    const wrap =
      (app: App): App =>
      async (ctx) => {
        const name = agentOf(ctx)?.agent.name ?? '';
        if (isQuery(ctx) && isOpen(names.get(name) ?? 0, ctx)) return runAsAdmin(app, ctx);
        await app(ctx);
        if (isUpdate(ctx) && isAccepted(ctx)) note(names, name, isPublic(ctx));
      };
    return { kind: 'bypass auth', condition: 'queryAgent', wrap };
  });
}

/** Opens an agent, without a visible change, after updates with public true that are refused with this status. */
function opensInSpite(status: number, applies: (ctx: Context) => boolean = () => true): Fault {
  return stateful(() => {
    const open = new Set<string>();
    const wrap =
      (app: App): App =>
      async (ctx) => {
        const name = agentOf(ctx)?.agent.name ?? '';
        if (isQuery(ctx) && isAnonymous(ctx) && open.has(name)) return runAsAdmin(app, ctx);
        await app(ctx);
        if (!isUpdate(ctx)) return undefined;
        if (isAccepted(ctx)) open.delete(name);
        else if (statusIs(status).holds(ctx) && applies(ctx) && (await sentTo(ctx)).spec?.public === true)
          open.add(name);
        return undefined;
      };
    return { kind: 'apply what is refused', condition: 'updateAgent', wrap };
  });
}

const sendsVersion = (ctx: Context) => ctx.get(ctx.state.world.headers.version) !== '';

const count = (names: Map<string, number>, name: string): void => void names.set(name, (names.get(name) ?? 0) + 1);

/** Accepts and stores `public` on mk2, which the mock refuses. */
function takesOnMk2(
  opens: (agent: Resource, ctx: Context) => boolean,
  applies: (ctx: Context) => boolean = () => true,
  concernsSent: (sent: Sent) => boolean = () => true,
): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const found = agentOf(ctx);
      if (isQuery(ctx) && isAnonymous(ctx) && found !== undefined && isPublic(ctx))
        return opens(found.agent, ctx) ? runAsAdmin(app, ctx) : closedTo(app, ctx);
      const isAffected = applies(ctx);
      await app(ctx);
      if (!isAffected || !isUpdate(ctx) || !statusIs(400).holds(ctx)) return undefined;
      if (concernsSent(await sentTo(ctx))) await updatePublic(app, ctx);
      return undefined;
    };
  return { kind: 'accept as corrected', condition: 'updateAgent', wrap };
}

/** As if the agent were not public. */
async function closedTo(app: App, ctx: Context): Promise<void> {
  const { key, agent } = agentOf(ctx)!;
  putResource(ctx.state.world, key, { ...agent, spec: { ...agent.spec, public: false } });
  await app(ctx).finally(() => putResource(ctx.state.world, key, agent));
}

async function updatePublic(app: App, ctx: Context): Promise<void> {
  const body = await sentTo(ctx);
  if (body.spec?.public !== true) return;
  await runWithBody(app, ctx, { ...body, spec: { ...body.spec, public: false } });
  const found = agentOf(ctx);
  if (!isAccepted(ctx) || found === undefined) return;
  putResource(ctx.state.world, found.key, { ...found.agent, spec: { ...found.agent.spec, public: true } });
}

const isDeployed = ({ deployments }: Resource, { state: { world } }: Context): boolean =>
  statusAt(deployments, world.clock.now()) === 'DEPLOYED';
const generationOf = ({ spec }: Resource): unknown =>
  (spec['runtime'] as { generation?: unknown } | undefined)?.generation;

export const publicAgentDeviations: Table = {
  'auth.public-agent.open-when-public': {
    'requires a credential for every agent': [all(anonymousQuery, publicAgent), respond(401)],
    'opens every agent if one is public': [all(anonymousQuery, anyPublic), bypassAuth],
    'updates a public agent without a credential': [all(update, anonymous, publicAgent), bypassAuth],
    'denies callers by brand header a public agent': [all(query, inHeader('brand'), publicAgent), deny(403)],
    'does not open an agent that has triggers': {
      kind: 'refuse',
      condition: 'queryAgent',
      wrap: (app) => async (ctx) => {
        const triggers = agentOf(ctx)?.agent.spec['triggers'];
        await (isQuery(ctx) && isAnonymous(ctx) && isPublic(ctx) && triggers !== undefined
          ? closedTo(app, ctx)
          : app(ctx));
      },
    },
    'requires a credential for threads of a public agent': [all(anonymousQuery, publicAgent, inThread), deny(401)],
    'opens an agent only once': stateful(() => {
      const takenBack = new Set<string>();
      const wrap =
        (app: App): App =>
        async (ctx) => {
          const name = agentOf(ctx)?.agent.name ?? '';
          const wasPublic = isPublic(ctx);
          await (isQuery(ctx) && isAnonymous(ctx) && isPublic(ctx) && takenBack.has(name)
            ? closedTo(app, ctx)
            : app(ctx));
          if (isUpdate(ctx) && wasPublic && !isPublic(ctx)) takenBack.add(name);
        };
      return { kind: 'refuse', condition: 'queryAgent', wrap };
    }),
    'refuses public: true': [all(update, publicAgent, statusIs(200)), respond(400)],
  },

  'auth.public-agent.closed-again': {
    'leaves an agent open once it was public': remembers(
      (names, name, isPublicNow) => isPublicNow && count(names, name),
      (times, ctx) => times > 0 && isAnonymous(ctx),
    ),
    'leaves an agent open if it is closed a second time': remembers(
      (names, name, isPublicNow) => !isPublicNow && count(names, name),
      (times, ctx) => times > 2 && isAnonymous(ctx),
    ),
    'leaves an agent open until an update sets public to false': stateful(staysOpen),
    'opens a closed agent again by an update without public': stateful(() => {
      const closed = new Map<string, 'public' | 'closed' | 'open'>();
      const wrap =
        (app: App): App =>
        async (ctx) => {
          const name = agentOf(ctx)?.agent.name ?? '';
          const before = closed.get(name);
          if (isQuery(ctx) && isAnonymous(ctx) && before === 'open') return runAsAdmin(app, ctx);
          await app(ctx);
          if (!isUpdate(ctx) || !isAccepted(ctx)) return undefined;
          const isOmitted = (await sentTo(ctx)).spec?.public === undefined;
          if (isPublic(ctx)) closed.set(name, 'public');
          else if (before === 'closed' && isOmitted) closed.set(name, 'open');
          else if (before !== undefined) closed.set(name, 'closed');
          return undefined;
        };
      return { kind: 'bypass auth', condition: 'queryAgent', wrap };
    }),
    'continues threads from when an agent was public': stateful(() => {
      const threads = new Set<string>();
      const threadOf = (ctx: Context): string => ctx.get(ctx.state.world.headers.threadId);
      const wrap =
        (app: App): App =>
        (ctx) => {
          if (!isQuery(ctx) || !isAnonymous(ctx) || !inThread.holds(ctx)) return app(ctx);
          if (isPublic(ctx)) threads.add(threadOf(ctx));
          return threads.has(threadOf(ctx)) ? runAsAdmin(app, ctx) : app(ctx);
        };
      return { kind: 'bypass auth', condition: 'queryAgent', wrap };
    }),
    'accepts any token in the brand header for an agent that was public': remembers(
      (names, name, isPublicNow) => isPublicNow && count(names, name),
      (times, ctx) => times > 0 && unknownToken.holds(ctx) && inHeader('brand').holds(ctx),
    ),
    'opens an agent by an update refused for another reason': opensInSpite(400, (ctx) => !sendsVersion(ctx)),
    'opens an agent by an update whose version is refused': opensInSpite(400, sendsVersion),
    'opens an agent by an update without a credential but returns 401': opensInSpite(401),
    'returns 500 for a closed agent without a credential': [all(anonymousQuery, statusIs(401)), respond(500)],
  },

  'auth.public-agent.never-on-mk2': {
    'opens agents of generation mk2': takesOnMk2(() => true),
    'opens deployed agents of generation mk2': takesOnMk2(isDeployed),
    'opens an mk2 agent if an update does not name the generation': takesOnMk2(
      () => true,
      () => true,
      ({ spec }) => spec?.runtime?.generation === undefined,
    ),
    'leaves a public agent open if it is moved to mk2': takesOnMk2(
      () => true,
      (ctx) => isPublic(ctx) && generationOf(agentOf(ctx)!.agent) === 'mk3',
    ),
  },
};
