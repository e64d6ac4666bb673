/** Deviations of which callers get which metrics, and of which account. */
import type { Effect } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Reply } from '../../http/reply.ts';
import type { App } from '../../pipeline/app.ts';
import type { Context } from '../../pipeline/context.ts';
import { runWith, bodyOf, isFor } from '../../wrap/wrapping.ts';
import { runAsAdmin } from '../auth/effects.ts';
import { all, any, when, whenQuery, type Condition } from '../conditions.ts';
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

export const rolesDeviations: Table = {
  'metrics.roles.workspace-filter-admin-only': {
    'ignores workspace= of a member': [member(workspaceFilter), ignoreWorkspace],
    'ignores workspace= of a member if grouped': [member(workspaceFilter, grouped), ignoreWorkspace],
    'refuses workspace= of a member with another message': [
      member(workspaceFilter, has('resourceType')),
      denyWith(403, 'Forbidden'),
    ],
    'refuses workspace= of a member with 401': [
      member(workspaceFilter, requests('monthly')),
      denyWith(401, 'Access denied'),
    ],
    'ignores workspace= of a member on later pages': [member(workspaceFilter, laterPage), ignoreWorkspace],
    'accepts workspace= of members by brand header': [all(byBrandHeader, workspaceFilter), acceptDenied],
    'returns cached responses for workspace= of admins to members': [workspaceFilter, respondFromCache],
    'accepts workspace= with groupBy=workspace of members': [anyMember(workspaceFilter, byWorkspace), acceptAsAdmin()],
    'accepts workspace= of members if its name is percent-encoded': [
      anyMember(
        workspaceFilter,
        when('workspace= percent-encoded', ({ querystring }) => !/(^|&)workspace=/.test(querystring)),
      ),
      acceptAsAdmin(),
    ],
    'checks the first workspace= of a member but uses the last': [
      anyMember(
        whenQuery('an empty workspace= before another', (query) => query.getAll('workspace').length > 1),
        is('workspace', ''),
      ),
      acceptAsAdmin((query) => query.set('workspace', query.getAll('workspace').at(-1)!)),
    ],
    'returns no cost of an unknown workspace to members': [
      anyMember(is('workspace', 'assay-nothing-has-this-name')),
      acceptAsAdmin(),
    ],
  },
  'metrics.roles.group-by-workspace-admin-only': {
    'ignores the dimension workspace of a member': [member(byWorkspace), ignoreWorkspace],
    'ignores the dimension workspace of a member if it is the only one': [
      member(byWorkspace, dimensionCount(1)),
      ignoreWorkspace,
    ],
    'ignores the dimension workspace of a member if it is the third': [
      member(dimensionAt(2, 'workspace')),
      ignoreWorkspace,
    ],
    'refuses groupBy=workspace,resource_uuid of a member with 400': [
      member(byWorkspace, groupedBy('resource_uuid')),
      denyWith(400, 'Access denied'),
    ],
    'refuses workspace with another dimension of a member with another message': [
      member(byWorkspace, dimensionCount(2)),
      denyWith(403, 'Access denied: workspace is for account admins.'),
    ],
    'ignores the dimension workspace of a member on later pages': [member(byWorkspace, laterPage), ignoreWorkspace],
    'groups by workspace for members by brand header': [all(byBrandHeader, byWorkspace), acceptDenied],
    'returns cached groups by workspace of admins to members': [byWorkspace, respondFromCache],
    'groups by workspace for members if its name is percent-encoded': [
      anyMember(byWorkspace, withoutWorkspaceInQuery),
      acceptAsAdmin(),
    ],
    'groups by workspace for members if the comma is not percent-encoded': [
      anyMember(
        byWorkspace,
        when('a plain comma', ({ querystring }) => querystring.includes(',')),
      ),
      acceptAsAdmin(),
    ],
    'groups by workspace for members if a space precedes it': [
      anyMember(groupedBy(' workspace')),
      acceptAsAdmin((query) => query.set('groupBy', trimmed(dimensionsOf(query)))),
    ],
    'groups by workspace for members if only a comma follows it': [
      anyMember(groupByIs('workspace', '')),
      acceptAsAdmin((query) => query.set('groupBy', 'workspace')),
    ],
    'checks the first groupBy of a member but uses both': [
      anyMember(whenQuery('workspace in a later groupBy', (query) => groupBys(query).indexOf('workspace') > 0)),
      acceptAsAdmin((query) => query.set('groupBy', trimmed(groupBys(query).filter((value) => value !== '')))),
    ],
  },
  'metrics.roles.member-may-ask-the-rest': {
    'refuses groupBy=resource_name of a member': [member(groupedBy('resource_name')), deny],
    'refuses ungrouped metrics to a member': [member(ungrouped), deny],
    'refuses resourceUuid of a member': [member(has('resourceUuid')), deny],
    'refuses later pages to a member': [member(laterPage), deny],
    'refuses three dimensions of a member if billing_dimension is first': [
      member(dimensionCount(3), dimensionAt(0, 'billing_dimension')),
      deny,
    ],
    'refuses members by brand header': [anyMember(byBrandHeader), deny],
  },
  'metrics.roles.workspace-admin-is-not-account-admin': {
    'ignores the use of workspace by a workspace admin': [workspaceAdmin, ignoreWorkspace],
    'ignores workspace= of a workspace admin': [all(workspaceAdmin, workspaceFilter), ignoreWorkspace],
    'ignores workspace among three dimensions of a workspace admin': [
      all(workspaceAdmin, byWorkspace, dimensionCount(3)),
      ignoreWorkspace,
    ],
    'names the required role to a workspace admin': [
      all(workspaceAdmin, byWorkspace),
      denyWith(403, 'The account-admin role is required.'),
    ],
    'treats a workspace admin as an account admin by brand header': [
      all(byBrandHeader, byWorkspaceAdmin),
      acceptDenied,
    ],
    'returns cached responses for account admins to a workspace admin': [byWorkspaceAdmin, respondFromCache],
    'treats workspace admins as account admins if workspace is percent-encoded': [
      anyMember(byWorkspaceAdmin, any(workspaceFilter, byWorkspace), withoutWorkspaceInQuery),
      acceptAsAdmin(),
    ],
  },
  'metrics.roles.admin-may-use-both': {
    'refuses workspace= of an admin if workspace is the third dimension': [
      admin(workspaceFilter, dimensionAt(2, 'workspace')),
      deny,
    ],
    'refuses workspace= with groupBy=workspace of an admin': [admin(workspaceFilter, byWorkspace), deny],
    // Every rule that filters or groups by workspace detects the next two.
    'refuses workspace= of an admin': [admin(workspaceFilter), deny],
    'refuses three dimensions of an admin if workspace is first': [
      admin(dimensionCount(3), dimensionAt(0, 'workspace')),
      deny,
    ],
    'refuses groupBy=workspace by brand header': [all(byBrandHeader, byWorkspace), deny],
  },
  'metrics.accounts.foreign-refused': {
    'returns the metrics of its only account for every account': respondForOnlyAccount,
    'accepts the id of a known account with characters appended': respondForAccount((requested, known) =>
      known.find((id) => requested.startsWith(id)),
    ),
    'accepts the first five or more characters of an account id': respondForAccount((requested, known) =>
      known.find((id) => requested.length > 4 && id.startsWith(requested)),
    ),
    'returns the metrics of its only account on later pages': [laterPage, respondForOnlyAccount],
    'returns the metrics of its only account by brand header': [byBrandHeader, respondForOnlyAccount],
    'returns no cost for an unknown account': [unknownAccount, respondEmpty],
  },
};
