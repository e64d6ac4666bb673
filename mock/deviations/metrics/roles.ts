/** Deviations of which callers get which metrics, and of which account. */
import type { Reply } from '../../http/reply.ts';
import type { App } from '../../pipeline/app.ts';
import type { Context } from '../../pipeline/context.ts';
import { runWith, bodyOf, isFor } from '../../wrap/wrapping.ts';
import { runAsAdmin } from '../auth/effects.ts';
import { all, any, when, whenQuery, type Condition } from '../conditions.ts';
import { deviationsOf, type Effect } from '../table.ts';
import {
  byAccountAdmin,
  byAccountMember,
  byBrandHeader,
  byPlainMember,
  byWorkspaceAdmin,
  dimensionAt,
  dimensionCount,
  dimensionsOf,
  groupByIs,
  grouped,
  groupedBy,
  has,
  laterPage,
  is,
  queryOf,
  requests,
  ungrouped,
} from './conditions.ts';
import { METRICS, refuse, setDimensions } from './effects.ts';

const workspaceFilter = has('workspace');
const byWorkspace = groupedBy('workspace');
const workspaceAdmin = all(byAccountMember, byWorkspaceAdmin);
const withoutWorkspaceInQuery = when(
  'workspace percent-encoded',
  ({ querystring }) => !querystring.includes('workspace'),
);
const deny = refuse(403, 'Access denied');

/** Runs `then` for refused requests. */
const afterRefusal = (
  kind: string,
  statuses: readonly number[],
  then: (app: App, ctx: Context) => Promise<void> | void,
): Effect => ({
  kind,
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    const isRefused = statuses.includes(ctx.state.reply?.status ?? 0);
    if (isRefused && isFor(ctx, METRICS) && applies(ctx)) await then(app, ctx);
  },
});

/** Responds without the workspace filter and dimension instead of 403. */
const ignoreWorkspace = afterRefusal('accept as corrected', [403], (app, ctx) =>
  runWith(app, ctx, (query) => {
    query.delete('workspace');
    setDimensions(
      query,
      dimensionsOf(query).filter((name) => name !== 'workspace'),
    );
  }),
);

const denyWith = (status: number, message: string): Effect =>
  afterRefusal('refuse differently', [403], (_, ctx) => {
    ctx.state.reply = { status, body: { ...(bodyOf(ctx) as object), code: status, message } };
  });

/** Responds as to an admin, who may have sent another query. */
const acceptAsAdmin = (edit: (query: URLSearchParams) => void = () => {}, statuses = [400, 403]): Effect =>
  afterRefusal('accept as admin', statuses, (app, ctx) => runWith((changed) => runAsAdmin(app, changed), ctx, edit));
const acceptDenied = acceptAsAdmin(undefined, [403]);

/** Returns the last 200 for the same URL instead of 403. */
const respondFromCache: Effect = {
  kind: 'respond from cache',
  wrap: (app, applies) => {
    const responses = new Map<string, Reply>();
    return async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply === undefined || !isFor(ctx, METRICS)) return;
      if (reply.status === 200) responses.set(ctx.url, reply);
      if (reply.status === 403 && applies(ctx)) ctx.state.reply = responses.get(ctx.url) ?? reply;
    };
  },
};

/** `find` returns the account whose metrics are returned; undefined for the requested one. */
const respondForAccount = (find: (requested: string, known: readonly string[]) => string | undefined): Effect => ({
  kind: 'respond for another account',
  wrap: (app, applies) => async (ctx) => {
    const found = /^(.*\/accounts\/)([^/]+)(\/metrics)$/.exec(ctx.path);
    const account = found === null || !applies(ctx) ? undefined : find(found[2]!, [...ctx.state.world.accounts.keys()]);
    if (found === null || account === undefined) return app(ctx);
    const { url } = ctx;
    ctx.path = `${found[1]}${encodeURIComponent(account)}${found[3]}`;
    await app(ctx).finally(() => {
      ctx.url = url;
    });
  },
});
const respondForOnlyAccount = respondForAccount((_, known) => known[0]);

const unknownAccount = when(
  'unknown account',
  ({ path, state }) =>
    ![...state.world.accounts.keys()].some((id) => path.includes(`/accounts/${encodeURIComponent(id)}/`)),
);
const respondEmpty = afterRefusal('accept', [403, 404], (_, ctx) => {
  const [startTime, endTime] = ['startTime', 'endTime'].map((name) => queryOf(ctx).get(name));
  const meta = { hasMore: false, nextCursor: '' };
  const body = { startTime, endTime, resolution: 'daily', summary: { totalCost: 0 }, data: [], meta };
  ctx.state.reply = { status: 200, body };
});

const trimmed = (names: readonly string[]): string => names.map((name) => name.trim()).join();
const groupBys = (query: URLSearchParams): string[] => query.getAll('groupBy');
const member = (...conditions: Condition[]): Condition => all(byPlainMember, ...conditions);
const anyMember = (...conditions: Condition[]): Condition => all(byAccountMember, ...conditions);
const admin = (...conditions: Condition[]): Condition => all(byAccountAdmin, ...conditions);

export const rolesDeviations = deviationsOf({
  'metrics.roles.workspace-filter-admin-only': {
    '': ['Ignores workspace= of a member', member(workspaceFilter), ignoreWorkspace],
    grouped: ['Ignores workspace= of a member if grouped', member(workspaceFilter, grouped), ignoreWorkspace],
    'other-message': [
      'Refuses workspace= of a member with another message',
      member(workspaceFilter, has('resourceType')),
      denyWith(403, 'Forbidden'),
    ],
    '401': [
      'Refuses workspace= of a member with 401',
      member(workspaceFilter, requests('monthly')),
      denyWith(401, 'Access denied'),
    ],
    'later-pages': [
      'Ignores workspace= of a member on later pages',
      member(workspaceFilter, laterPage),
      ignoreWorkspace,
    ],
    brand: ['Accepts workspace= of members by brand header', all(byBrandHeader, workspaceFilter), acceptDenied],
    kept: ['Returns cached responses for workspace= of admins to members', workspaceFilter, respondFromCache],
    'both-at-once': [
      'Accepts workspace= with groupBy=workspace of members',
      anyMember(workspaceFilter, byWorkspace),
      acceptAsAdmin(),
    ],
    encoded: [
      'Accepts workspace= of members if its name is percent-encoded',
      anyMember(
        workspaceFilter,
        when('workspace= percent-encoded', ({ querystring }) => !/(^|&)workspace=/.test(querystring)),
      ),
      acceptAsAdmin(),
    ],
    'first-of-two': [
      'Checks the first workspace= of a member but uses the last',
      anyMember(
        whenQuery('an empty workspace= before another', (query) => query.getAll('workspace').length > 1),
        is('workspace', ''),
      ),
      acceptAsAdmin((query) => query.set('workspace', query.getAll('workspace').at(-1)!)),
    ],
    unknown: [
      'Returns no cost of an unknown workspace to members',
      anyMember(is('workspace', 'assay-nothing-has-this-name')),
      acceptAsAdmin(),
    ],
  },
  'metrics.roles.group-by-workspace-admin-only': {
    '': ['Ignores the dimension workspace of a member', member(byWorkspace), ignoreWorkspace],
    alone: [
      'Ignores the dimension workspace of a member if it is the only one',
      member(byWorkspace, dimensionCount(1)),
      ignoreWorkspace,
    ],
    'last-of-three': [
      'Ignores the dimension workspace of a member if it is the third',
      member(dimensionAt(2, 'workspace')),
      ignoreWorkspace,
    ],
    '400': [
      'Refuses groupBy=workspace,resource_uuid of a member with 400',
      member(byWorkspace, groupedBy('resource_uuid')),
      denyWith(400, 'Access denied'),
    ],
    'other-message': [
      'Refuses workspace with another dimension of a member with another message',
      member(byWorkspace, dimensionCount(2)),
      denyWith(403, 'Access denied: workspace is for account admins.'),
    ],
    'later-pages': [
      'Ignores the dimension workspace of a member on later pages',
      member(byWorkspace, laterPage),
      ignoreWorkspace,
    ],
    brand: ['Groups by workspace for members by brand header', all(byBrandHeader, byWorkspace), acceptDenied],
    kept: ['Returns cached groups by workspace of admins to members', byWorkspace, respondFromCache],
    encoded: [
      'Groups by workspace for members if its name is percent-encoded',
      anyMember(byWorkspace, withoutWorkspaceInQuery),
      acceptAsAdmin(),
    ],
    comma: [
      'Groups by workspace for members if the comma is not percent-encoded',
      anyMember(
        byWorkspace,
        when('a plain comma', ({ querystring }) => querystring.includes(',')),
      ),
      acceptAsAdmin(),
    ],
    blank: [
      'Groups by workspace for members if a space precedes it',
      anyMember(groupedBy(' workspace')),
      acceptAsAdmin((query) => query.set('groupBy', trimmed(dimensionsOf(query)))),
    ],
    'nothing-behind': [
      'Groups by workspace for members if only a comma follows it',
      anyMember(groupByIs('workspace', '')),
      acceptAsAdmin((query) => query.set('groupBy', 'workspace')),
    ],
    'second-of-two': [
      'Checks the first groupBy of a member but uses both',
      anyMember(whenQuery('workspace in a later groupBy', (query) => groupBys(query).indexOf('workspace') > 0)),
      acceptAsAdmin((query) => query.set('groupBy', trimmed(groupBys(query).filter((value) => value !== '')))),
    ],
  },
  'metrics.roles.member-may-ask-the-rest': {
    '': ['Refuses groupBy=resource_name of a member', member(groupedBy('resource_name')), deny],
    ungrouped: ['Refuses ungrouped metrics to a member', member(ungrouped), deny],
    uuid: ['Refuses resourceUuid of a member', member(has('resourceUuid')), deny],
    'later-page': ['Refuses later pages to a member', member(laterPage), deny],
    three: [
      'Refuses three dimensions of a member if billing_dimension is first',
      member(dimensionCount(3), dimensionAt(0, 'billing_dimension')),
      deny,
    ],
    brand: ['Refuses members by brand header', anyMember(byBrandHeader), deny],
  },
  'metrics.roles.workspace-admin-is-not-account-admin': {
    '': ['Ignores the use of workspace by a workspace admin', workspaceAdmin, ignoreWorkspace],
    filter: ['Ignores workspace= of a workspace admin', all(workspaceAdmin, workspaceFilter), ignoreWorkspace],
    'group-by': [
      'Ignores workspace among three dimensions of a workspace admin',
      all(workspaceAdmin, byWorkspace, dimensionCount(3)),
      ignoreWorkspace,
    ],
    'other-message': [
      'Names the required role to a workspace admin',
      all(workspaceAdmin, byWorkspace),
      denyWith(403, 'The account-admin role is required.'),
    ],
    brand: [
      'Treats a workspace admin as an account admin by brand header',
      all(byBrandHeader, byWorkspaceAdmin),
      acceptDenied,
    ],
    kept: ['Returns cached responses for account admins to a workspace admin', byWorkspaceAdmin, respondFromCache],
    encoded: [
      'Treats workspace admins as account admins if workspace is percent-encoded',
      anyMember(byWorkspaceAdmin, any(workspaceFilter, byWorkspace), withoutWorkspaceInQuery),
      acceptAsAdmin(),
    ],
  },
  'metrics.roles.admin-may-use-both': {
    '': [
      'Refuses workspace= of an admin if workspace is the third dimension',
      admin(workspaceFilter, dimensionAt(2, 'workspace')),
      deny,
    ],
    'at-once': ['Refuses workspace= with groupBy=workspace of an admin', admin(workspaceFilter, byWorkspace), deny],
    // Every rule that filters or groups by workspace detects the next two.
    filter: ['Refuses workspace= of an admin', admin(workspaceFilter), deny],
    'first-of-three': [
      'Refuses three dimensions of an admin if workspace is first',
      admin(dimensionCount(3), dimensionAt(0, 'workspace')),
      deny,
    ],
    brand: ['Refuses groupBy=workspace by brand header', all(byBrandHeader, byWorkspace), deny],
  },
  'metrics.accounts.foreign-refused': {
    '': ['Returns the metrics of its only account for every account', respondForOnlyAccount],
    'begins-alike': [
      'Accepts the id of a known account with characters appended',
      respondForAccount((requested, known) => known.find((id) => requested.startsWith(id))),
    ],
    beginning: [
      'Accepts the first five or more characters of an account id',
      respondForAccount((requested, known) => known.find((id) => requested.length > 4 && id.startsWith(requested))),
    ],
    'later-pages': ['Returns the metrics of its only account on later pages', laterPage, respondForOnlyAccount],
    brand: ['Returns the metrics of its only account by brand header', byBrandHeader, respondForOnlyAccount],
    'empty-answer': ['Returns no cost for an unknown account', unknownAccount, respondEmpty],
  },
});
