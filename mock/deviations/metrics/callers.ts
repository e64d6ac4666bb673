/** Faults that show with some callers only, with the other header, or where somebody else has asked before or asks at once. */
import { deviationsOf } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { anew } from '../anew.ts';
import { askedAsAdmin, comesBy } from '../auth/faults.ts';
import { isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { answersFromCache } from '../cache.ts';
import { isFromApiKey } from '../writes.ts';
import { answersInstead, asksInstead, dimensionsOf, isCalledBy, isGrouped, queryOf, refusesQuery } from './faults.ts';

type Concerns = (query: URLSearchParams, ctx: Context) => boolean;

const asks = (ctx: Context): boolean => isFor(ctx, ['getAccountMetrics']);
const byBrand = comesBy('brand');
const filters: Concerns = (query) => query.has('workspace');
const groups: Concerns = (query) => dimensionsOf(query).includes('workspace');
const isWorkspaceAdmin: Concerns = (_, ctx) => isCalledBy(ctx, 'workspace-admin');
const isBeyond = (query: URLSearchParams): boolean => Number(query.get('limit')) > 100;

/** Lets callers that are denied something have it nevertheless, by the brand header. */
function letsByBrand(what: string, concerns: Concerns): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const isDenied = asks(ctx) && ctx.state.reply?.status === 403 && byBrand(ctx);
      if (isDenied && concerns(queryOf(ctx), ctx)) await askedAsAdmin(app, ctx);
    };
  return { what, wrap };
}

const keepsAnswers = (what: string, concerns: Concerns): Deviation =>
  answersFromCache(what, asks, (reply, ctx) => reply.status === 403 && concerns(queryOf(ctx), ctx));

/** Questions that come while one is being answered get its answer. */
function answersTogether(what: string): Deviation {
  return anew(what, () => {
    let pending: Promise<Reply | undefined> | undefined;
    const wrap =
      (app: App): App =>
      async (ctx) => {
        if (!asks(ctx)) return app(ctx);
        const other = await pending;
        const answered = other === undefined ? Promise.withResolvers<Reply | undefined>() : undefined;
        pending = answered?.promise ?? pending;
        if (answered !== undefined) await wait(2);
        await app(ctx);
        answered?.resolve(ctx.state.reply);
        if (answered !== undefined) pending = undefined;
        if (other?.status === 200 && ctx.state.reply?.status === 200) ctx.state.reply = other;
      };
    return { what, wrap };
  });
}

export const callersDeviations: Deviations = deviationsOf({
  'metrics.roles.workspace-filter-admin-only': {
    brand: letsByBrand('lets members use workspace= by the brand header', filters),
    kept: keepsAnswers('tells members of a workspace what an admin has asked before', filters),
  },

  'metrics.roles.group-by-workspace-admin-only': {
    brand: letsByBrand('lets members group by workspace by the brand header', groups),
    kept: keepsAnswers('tells members by workspace what an admin has asked before', groups),
  },

  'metrics.roles.workspace-admin-is-not-account-admin': {
    brand: letsByBrand('takes a workspace admin for an account admin by the brand header', isWorkspaceAdmin),
    kept: keepsAnswers('tells a workspace admin what an account admin has asked before', isWorkspaceAdmin),
  },

  'metrics.roles.member-may-ask-the-rest': {
    brand: refusesQuery(
      'refuses members by the brand header',
      403,
      (_, ctx) => byBrand(ctx) && isCalledBy(ctx, 'account-member'),
      'Access denied',
    ),
  },

  'metrics.roles.admin-may-use-both': {
    brand: refusesQuery(
      'refuses an admin who groups by workspace by the brand header',
      403,
      (query, ctx) => byBrand(ctx) && groups(query, ctx),
      'Access denied',
    ),
  },

  'metrics.answer.shape-and-echo': {
    'at-once': answersTogether('gives questions that come at once one answer'),
  },

  'metrics.pagination.limit-clamped': {
    'api-key': refusesQuery(
      'refuses a limit above 100 from API keys',
      400,
      (query, ctx) => isBeyond(query) && isFromApiKey(ctx),
    ),
    filtered: refusesQuery(
      'refuses a limit above 100 beside a resourceType',
      400,
      (query) => isBeyond(query) && query.has('resourceType'),
    ),
  },

  'metrics.pagination.page-within-limit': {
    filtered: asksInstead('passes over limit beside a filter', (query) => {
      if (query.has('resourceType') || query.has('billingDimension')) query.delete('limit');
    }),
    hourly: asksInstead('passes over limit with hourly', (query) => {
      if (query.get('resolution') === 'hourly') query.delete('limit');
    }),
  },

  'metrics.group-by.every-set-accepted': {
    weekly: refusesQuery(
      'refuses three dimensions with weekly',
      400,
      (query) => query.get('resolution') === 'weekly' && dimensionsOf(query).length === 3,
    ),
    'api-key': refusesQuery(
      'refuses three dimensions from API keys',
      400,
      (query, ctx) => isFromApiKey(ctx) && dimensionsOf(query).length === 3,
    ),
  },

  'metrics.group-by.absent-one-entry': {
    weekly: answersInstead('has no entry of its own with weekly', (body, query) => {
      if (!isGrouped(query) && query.get('resolution') === 'weekly' && !query.has('limit')) body.data = [];
    }),
  },
});
