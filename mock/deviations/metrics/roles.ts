/** Faults of who may ask for which metrics, and for whose. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { askedWith, bodyOf, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { isByBrandHeader } from '../writes.ts';
import { dimensionsOf, isCalledBy, queryOf, refusesQuery } from './faults.ts';

type Concerns = (query: URLSearchParams, ctx: Context) => boolean;

const isMember: Concerns = (_, ctx) => isCalledBy(ctx, 'account-member') && !isWorkspaceAdmin(_, ctx);
const isWorkspaceAdmin: Concerns = (_, ctx) => isCalledBy(ctx, 'account-member') && isCalledBy(ctx, 'workspace-admin');
const isAccountAdmin: Concerns = (_, ctx) => isCalledBy(ctx, 'account-admin');
const filters: Concerns = (query) => query.has('workspace');
const groups: Concerns = (query) => dimensionsOf(query).includes('workspace');

const all =
  (...each: Concerns[]): Concerns =>
  (query, ctx) =>
    each.every((concerns) => concerns(query, ctx));

/** Does something with those of its 403 answers that are concerned. */
function onDenied(what: string, concerns: Concerns, instead: (app: App, ctx: Context) => Promise<void>): Deviation {
  return {
    what,
    wrap: (app) => async (ctx) => {
      await app(ctx);
      const denied = isFor(ctx, ['getAccountMetrics']) && ctx.state.reply?.status === 403;
      if (denied && concerns(queryOf(ctx), ctx)) await instead(app, ctx);
    },
  };
}

/** Answers what is left of the question without the workspace. */
function answersDenied(what: string, concerns: Concerns): Deviation {
  return onDenied(what, concerns, (app, ctx) =>
    askedWith(app, ctx, (query) => {
      query.delete('workspace');
      const rest = dimensionsOf(query).filter((name) => name !== 'workspace');
      if (rest.length === 0) query.delete('groupBy');
      else query.set('groupBy', rest.join(','));
    }),
  );
}

function deniesWith(what: string, concerns: Concerns, status: number, message: string): Deviation {
  return onDenied(what, concerns, async (_, ctx) => {
    ctx.state.reply = { status, body: { ...(bodyOf(ctx) as object), code: status, message } };
  });
}

function denies(what: string, concerns: Concerns): Deviation {
  return refusesQuery(what, 403, concerns, 'Access denied');
}

/** Answers questions about some other accounts; `read` gives the account whose metrics are told. */
function tellsOf(
  what: string,
  read: (asked: string, known: readonly string[], ctx: Context) => string | undefined,
): Deviation {
  return {
    what,
    wrap: (app) => async (ctx) => {
      const found = /^(.*\/accounts\/)([^/]+)(\/metrics)$/.exec(ctx.path);
      const told = found === null ? undefined : read(found[2]!, [...ctx.state.world.accounts.keys()], ctx);
      if (found === null || told === undefined) return app(ctx);
      const asked = ctx.url;
      ctx.path = `${found[1]}${encodeURIComponent(told)}${found[3]}`;
      await app(ctx).finally(() => {
        ctx.url = asked;
      });
    },
  };
}

export const rolesDeviations: Deviations = deviationsOf({
  'metrics.roles.workspace-filter-admin-only': {
    '': answersDenied('ignores workspace= of a member', all(isMember, filters)),
    grouped: answersDenied(
      'ignores workspace= of a member in grouped questions',
      all(isMember, filters, (query) => query.has('groupBy')),
    ),
    'other-message': deniesWith(
      'refuses workspace= of a member with another message',
      all(isMember, filters, (query) => query.has('resourceType')),
      403,
      'Forbidden',
    ),
    '401': deniesWith(
      'refuses workspace= of a member with 401',
      all(isMember, filters, (query) => query.get('resolution') === 'monthly'),
      401,
      'Access denied',
    ),
    'later-pages': answersDenied(
      'ignores workspace= of a member on later pages',
      all(isMember, filters, (query) => query.has('cursor')),
    ),
  },

  'metrics.roles.group-by-workspace-admin-only': {
    '': answersDenied('leaves workspace out of groupBy for a member', all(isMember, groups)),
    alone: answersDenied(
      'leaves workspace out for a member who groups by nothing else',
      all(isMember, groups, (query) => dimensionsOf(query).length === 1),
    ),
    'last-of-three': answersDenied(
      'leaves workspace out for a member where it is the last of three dimensions',
      all(isMember, (query) => dimensionsOf(query)[2] === 'workspace'),
    ),
    '400': deniesWith(
      'calls groupBy=workspace,resource_uuid of a member invalid',
      all(isMember, groups, (query) => dimensionsOf(query).includes('resource_uuid')),
      400,
      'Access denied',
    ),
    'other-message': deniesWith(
      'refuses a member who groups by workspace and another dimension with another message',
      all(isMember, groups, (query) => dimensionsOf(query).length === 2),
      403,
      'Access denied: workspace is for account admins.',
    ),
    'later-pages': answersDenied(
      'leaves workspace out of groupBy for a member on later pages',
      all(isMember, groups, (query) => query.has('cursor')),
    ),
  },

  'metrics.roles.member-may-ask-the-rest': {
    '': denies(
      'refuses a member who groups by resource_name',
      all(isMember, (query) => dimensionsOf(query).includes('resource_name')),
    ),
    ungrouped: denies(
      'refuses a member the figures of the whole account',
      all(isMember, (query) => !query.has('groupBy')),
    ),
    uuid: denies(
      'refuses resourceUuid of a member',
      all(isMember, (query) => query.has('resourceUuid')),
    ),
    'later-page': denies(
      'refuses a member the page after the first',
      all(isMember, (query) => query.has('cursor')),
    ),
    three: denies(
      'refuses three dimensions of a member where the first is billing_dimension',
      all(isMember, (query) => dimensionsOf(query).length === 3 && dimensionsOf(query)[0] === 'billing_dimension'),
    ),
  },

  'metrics.roles.workspace-admin-is-not-account-admin': {
    '': answersDenied('lets a workspace admin use workspace', isWorkspaceAdmin),
    filter: answersDenied('lets a workspace admin use workspace=', all(isWorkspaceAdmin, filters)),
    'group-by': answersDenied(
      'lets a workspace admin use workspace among three dimensions',
      all(isWorkspaceAdmin, groups, (query) => dimensionsOf(query).length === 3),
    ),
    'other-message': deniesWith(
      'names the role it wants to a workspace admin',
      all(isWorkspaceAdmin, groups),
      403,
      'The account-admin role is required.',
    ),
  },

  'metrics.roles.admin-may-use-both': {
    '': denies(
      'refuses an admin workspace= where workspace is also the last of three dimensions',
      all(isAccountAdmin, filters, (query) => dimensionsOf(query)[2] === 'workspace'),
    ),
    'at-once': denies('refuses an admin both at once', all(isAccountAdmin, filters, groups)),
    // Whoever groups by workspace, or filters by it, meets the next two as well.
    filter: denies('refuses workspace= of an admin', all(isAccountAdmin, filters)),
    'first-of-three': denies(
      'refuses an admin three dimensions of which workspace is the first',
      all(isAccountAdmin, (query) => dimensionsOf(query).length === 3 && dimensionsOf(query)[0] === 'workspace'),
    ),
  },

  'metrics.accounts.foreign-refused': {
    '': tellsOf('answers of the one account it knows, whichever is asked for', (_, known) => known[0]),
    'begins-alike': tellsOf('takes an account whose id goes on after that of a known one for it', (asked, known) =>
      known.find((id) => asked.startsWith(id)),
    ),
    beginning: tellsOf('takes the beginning of an id of five characters and more for the id', (asked, known) =>
      known.find((id) => asked.length > 4 && id.startsWith(asked)),
    ),
    'later-pages': tellsOf('answers of the one account it knows where there is a cursor', (_, known, ctx) =>
      queryOf(ctx).has('cursor') ? known[0] : undefined,
    ),
    brand: tellsOf('answers of the one account it knows by the brand header', (_, known, ctx) =>
      isByBrandHeader(ctx) ? known[0] : undefined,
    ),
    'empty-answer': {
      what: 'answers that an unknown account has no costs',
      wrap: (app) => async (ctx) => {
        await app(ctx);
        const status = ctx.state.reply?.status ?? 0;
        if (!isFor(ctx, ['getAccountMetrics']) || ![403, 404].includes(status) || isKnownAccount(ctx)) return;
        const [startTime, endTime] = ['startTime', 'endTime'].map((name) => queryOf(ctx).get(name));
        const body = {
          startTime,
          endTime,
          resolution: 'daily',
          summary: { totalCost: 0 },
          data: [],
          meta: { hasMore: false, nextCursor: '' },
        };
        ctx.state.reply = { status: 200, body };
      },
    },
  },
});

function isKnownAccount(ctx: Context): boolean {
  return [...ctx.state.world.accounts.keys()].some((id) => ctx.path.includes(`/accounts/${encodeURIComponent(id)}/`));
}
