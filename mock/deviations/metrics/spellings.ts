/** Faults of whoever judges the text of a query, or a part of it, and answers what it means. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { askedAsAdmin } from '../auth/faults.ts';
import { askedWith, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { dimensionsOf, isCalledBy, queryOf } from './faults.ts';

type Concerns = (query: URLSearchParams, ctx: Context) => boolean;

const isMember: Concerns = (_, ctx) => isCalledBy(ctx, 'account-member');
const filters: Concerns = (query) => query.has('workspace');
const groups: Concerns = (query) => dimensionsOf(query).includes('workspace');
const groupBysOf = (query: URLSearchParams): string[] => query.getAll('groupBy');
const meantBy = (names: readonly string[]): string => names.map((name) => name.trim()).join();

/** Answers some of what it refuses members as it does admins, once `edit` has read the query its way. */
function lets(what: string, concerns: Concerns, edit: (query: URLSearchParams) => void = () => {}): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const isRefused = [400, 403].includes(ctx.state.reply?.status ?? 0);
      const query = queryOf(ctx);
      if (!isFor(ctx, ['getAccountMetrics']) || !isRefused || !isMember(query, ctx) || !concerns(query, ctx)) return;
      await askedWith((other) => askedAsAdmin(app, other), ctx, edit);
    };
  return { what, wrap };
}

export const spellingsDeviations: Deviations = deviationsOf({
  'metrics.roles.workspace-filter-admin-only': {
    'both-at-once': lets(
      'lets members use workspace= beside groupBy=workspace',
      (query, ctx) => filters(query, ctx) && groups(query, ctx),
    ),
    encoded: lets(
      'lets members use workspace= where letters of its name are percent-encoded',
      (query, ctx) => filters(query, ctx) && !/(^|&)workspace=/.test(ctx.querystring),
    ),
    'first-of-two': lets(
      'judges the first workspace= of a member, and answers the last',
      (query) => query.getAll('workspace').length > 1 && query.get('workspace') === '',
      (query) => query.set('workspace', query.getAll('workspace').at(-1)!),
    ),
    unknown: lets(
      'tells members of a workspace that nobody has that it costs nothing',
      (query) => query.get('workspace') === 'assay-nothing-has-this-name',
    ),
  },

  'metrics.roles.group-by-workspace-admin-only': {
    encoded: lets(
      'lets members group by workspace where letters of it are percent-encoded',
      (query, ctx) => groups(query, ctx) && !ctx.querystring.includes('workspace'),
    ),
    comma: lets(
      'lets members group by workspace where the comma beside it is not percent-encoded',
      (query, ctx) => groups(query, ctx) && ctx.querystring.includes(','),
    ),
    blank: lets(
      'lets members group by workspace where a blank is before it',
      (query) => dimensionsOf(query).includes(' workspace'),
      (query) => query.set('groupBy', meantBy(dimensionsOf(query))),
    ),
    'nothing-behind': lets(
      'lets members group by workspace where nothing follows its comma',
      (query) => query.get('groupBy') === 'workspace,',
      (query) => query.set('groupBy', 'workspace'),
    ),
    'second-of-two': lets(
      'judges the first groupBy of a member, and answers both',
      (query) => groupBysOf(query).indexOf('workspace') > 0,
      (query) => query.set('groupBy', meantBy(groupBysOf(query).filter((text) => text !== ''))),
    ),
  },

  'metrics.roles.workspace-admin-is-not-account-admin': {
    encoded: lets(
      'takes workspace admins for account admins where a letter is percent-encoded',
      (query, ctx) =>
        isCalledBy(ctx, 'workspace-admin') &&
        (filters(query, ctx) || groups(query, ctx)) &&
        !ctx.querystring.includes('workspace'),
    ),
  },
});
