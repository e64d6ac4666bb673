/** Deviations of which callers get which metrics, and of which account. */
import type { Reply } from '../../http/reply.ts';
import type { Context } from '../../pipeline/context.ts';
import { runAsAdmin } from '../auth/effects.ts';
import { all, always, any, when, whenQuery, type Condition } from '../conditions.ts';
import { runWith, bodyOf, isFor, type App, type Effect } from '../deviation.ts';
import { across, type Row, type Table } from '../table.ts';
import * as by from './conditions.ts';
import { dimensionAt, dimensionCount, dimensionsOf, grouped, groupedBy, has, is, laterPage } from './conditions.ts';
import { METRICS, refuse, setDimensions } from './effects.ts';

const filter = has('workspace');
const dimension = groupedBy('workspace');
const memberFilter = all(by.byPlainMember, filter);
const memberDimension = all(by.byPlainMember, dimension);
const workspaceAdmin = all(by.byAccountMember, by.byWorkspaceAdmin);
const encodedDimension = when(
  'if its name is percent-encoded',
  ({ querystring }) => !querystring.includes('workspace'),
);
const encodedFilter = when('if its name is percent-encoded', ({ querystring }) => !/(^|&)workspace=/.test(querystring));
const plainComma = when('if the comma is not percent-encoded', ({ querystring }) => querystring.includes(','));

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
    const others = dimensionsOf(query).filter((name) => name !== 'workspace');
    setDimensions(query, others);
  }),
);

const deny = refuse(403, 'Access denied');
const denyWith = (status: number, message: string): Effect =>
  afterRefusal('refuse differently', [403], (_, ctx) => {
    ctx.state.reply = { status, body: { ...(bodyOf(ctx) as object), code: status, message } };
  });

/** Responds as to an admin, who may have sent another query. */
const acceptAsAdmin = (edit: (query: URLSearchParams) => void = () => {}, statuses = [400, 403]): Effect =>
  afterRefusal('accept as admin', statuses, (app, ctx) => runWith((changed) => runAsAdmin(app, changed), ctx, edit));
const acceptDenied = acceptAsAdmin(undefined, [403]);
/** From members. */
const accepts = (condition: Condition, edit?: (query: URLSearchParams) => void): Row => [
  all(by.byAccountMember, condition),
  acceptAsAdmin(edit),
];

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
const unknownAccount = when('of an unknown account', ({ path, state: { world } }) =>
  [...world.accounts.keys()].every((id) => !path.includes(`/accounts/${encodeURIComponent(id)}/`)),
);
const respondEmpty = afterRefusal('accept', [403, 404], (_, ctx) => {
  const [startTime, endTime] = ['startTime', 'endTime'].map((name) => by.queryOf(ctx).get(name));
  const meta = { hasMore: false, nextCursor: '' };
  const body = { startTime, endTime, resolution: 'daily', summary: { totalCost: 0 }, data: [], meta };
  ctx.state.reply = { status: 200, body };
});

const trimmed = (names: readonly string[]): string => names.map((name) => name.trim()).join();
const groupBys = (query: URLSearchParams): string[] => query.getAll('groupBy');
const emptyFilterFirst = whenQuery('with an empty workspace= before another', (query) => {
  const values = query.getAll('workspace');
  return values.length > 1 && values[0] === '';
});
const laterGroupBy = whenQuery(
  'with workspace in a later groupBy',
  (query) => groupBys(query).indexOf('workspace') > 0,
);

export const rolesDeviations: Table = {
  'metrics.roles.workspace-filter-admin-only': {
    ...across([always, grouped, laterPage], { 'ignores workspace= of a member': [memberFilter, ignoreWorkspace] }),
    'refuses workspace= of a member with another message': [
      all(memberFilter, has('resourceType')),
      denyWith(403, 'Forbidden'),
    ],
    'refuses workspace= of a member with 401': [
      all(memberFilter, by.requests('monthly')),
      denyWith(401, 'Access denied'),
    ],
    'accepts workspace= of members by brand header': [all(by.byBrandHeader, filter), acceptDenied],
    'returns cached responses for workspace= of admins to members': [filter, respondFromCache],
    'accepts workspace= with groupBy=workspace of members': accepts(all(filter, dimension)),
    'accepts workspace= of members if its name is percent-encoded': accepts(all(filter, encodedFilter)),
    'checks the first workspace= of a member but uses the last': accepts(emptyFilterFirst, (query) =>
      query.set('workspace', query.getAll('workspace').at(-1)!),
    ),
    'returns no cost of an unknown workspace to members': accepts(is('workspace', 'assay-nothing-has-this-name')),
  },
  'metrics.roles.group-by-workspace-admin-only': {
    ...across([always, dimensionCount(1), dimensionAt(2, 'workspace'), laterPage], {
      'ignores the dimension workspace of a member': [memberDimension, ignoreWorkspace],
    }),
    'refuses groupBy=workspace,resource_uuid of a member with 400': [
      all(memberDimension, groupedBy('resource_uuid')),
      denyWith(400, 'Access denied'),
    ],
    'refuses workspace with another dimension of a member with another message': [
      all(memberDimension, dimensionCount(2)),
      denyWith(403, 'Access denied: workspace is for account admins.'),
    ],
    'groups by workspace for members by brand header': [all(by.byBrandHeader, dimension), acceptDenied],
    'returns cached groups by workspace of admins to members': [dimension, respondFromCache],
    ...across([encodedDimension, plainComma], { 'groups by workspace for members': accepts(dimension) }),
    'groups by workspace for members if a space precedes it': accepts(groupedBy(' workspace'), (query) =>
      query.set('groupBy', trimmed(dimensionsOf(query))),
    ),
    'groups by workspace for members if only a comma follows it': accepts(by.groupByIs('workspace', ''), (query) =>
      query.set('groupBy', 'workspace'),
    ),
    'checks the first groupBy of a member but uses both': accepts(laterGroupBy, (query) =>
      query.set('groupBy', trimmed(groupBys(query).filter((value) => value !== ''))),
    ),
  },
  'metrics.roles.member-may-ask-the-rest': across(
    [
      groupedBy('resource_name'),
      by.ungrouped,
      has('resourceUuid'),
      laterPage,
      all(dimensionCount(3), dimensionAt(0, 'billing_dimension')),
      by.byBrandHeader,
    ],
    { 'refuses requests of a member': [by.byPlainMember, deny] },
  ),
  'metrics.roles.workspace-admin-is-not-account-admin': {
    ...across([always, filter, all(dimension, dimensionCount(3))], {
      'ignores the use of workspace by a workspace admin': [workspaceAdmin, ignoreWorkspace],
    }),
    'names the required role to a workspace admin': [
      all(workspaceAdmin, dimension),
      denyWith(403, 'The account-admin role is required.'),
    ],
    'treats a workspace admin as an account admin by brand header': [
      all(by.byBrandHeader, by.byWorkspaceAdmin),
      acceptDenied,
    ],
    'returns cached responses for account admins to a workspace admin': [by.byWorkspaceAdmin, respondFromCache],
    'treats workspace admins as account admins if workspace is percent-encoded': accepts(
      all(by.byWorkspaceAdmin, any(filter, dimension), encodedDimension),
    ),
  },
  // Every rule that filters or groups by workspace detects the third and the fourth.
  'metrics.roles.admin-may-use-both': across(
    [
      all(filter, dimensionAt(2, 'workspace')),
      all(filter, dimension),
      filter,
      all(dimensionCount(3), dimensionAt(0, 'workspace')),
      all(by.byBrandHeader, dimension),
    ],
    { 'refuses requests of an admin': [by.byAccountAdmin, deny] },
  ),
  'metrics.accounts.foreign-refused': {
    ...across([always, laterPage, by.byBrandHeader], {
      'returns the metrics of its only account for every account': respondForAccount((_, known) => known[0]),
    }),
    'accepts the id of a known account with characters appended': respondForAccount((requested, known) =>
      known.find((id) => requested.startsWith(id)),
    ),
    'accepts the first five or more characters of an account id': respondForAccount((requested, known) =>
      known.find((id) => requested.length > 4 && id.startsWith(requested)),
    ),
    'returns no cost for an unknown account': [unknownAccount, respondEmpty],
  },
};
