/** metrics.roles.*: only account admins filter or group by workspace. */
import { judgedOn } from '../engine/traffic.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import { conforms } from '../engine/conforms.ts';
import type { CallerName, Run } from '../engine/conforms.ts';
import { alsoJudges, judges } from '../judge/judgement.ts';
import {
  filtersByWorkspace,
  groupsByWorkspace,
  judgeAmbiguousGroups,
  judgeDenied,
  judgePermitted,
  usesWorkspace,
} from './judged-roles.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Mismatch } from '../target/violation.ts';
import { formatValue } from '../expect/format-value.ts';
import { status } from '../expect/status.ts';
import type { Client, Exchange } from '../target/client.ts';
import { UNUSED_NAME, parseMetrics, requestMetrics, checkEachQuery } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { byBrandHeader } from '../kit/provision/caller-variants.ts';
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { resolutions } from '../../spec/values.ts';
import { dimensions, setsOf } from '../kit/metrics/dimensions.ts';
import { valueOf } from './entries.ts';
import { filteredBy, groupedByWorkspace, checkSpellings } from './query-spellings.ts';
import { DAY, lastOf, pastWindow, recentDays } from '../kit/metrics/windows.ts';

const sets = setsOf(dimensions);
const setsWithWorkspace = sets.filter((set) => set.includes('workspace'));
/** With workspace first, in between or last. */
const withWorkspace = setsWithWorkspace.map((set, at) => rotated(set, at));
function rotated<T>(items: readonly T[], by: number): T[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
const withoutWorkspace = sets.filter((set) => !set.includes('workspace'));

/** Filters that every caller may use. */
const filters = [
  { resourceType: 'sandbox' },
  { resourceName: 'demo' },
  { resourceUuid: '00000000-0000-4000-8000-000000000000' },
  { billingDimension: 'agent_compute_runtime_gbs' },
];
const plainQueries: MetricsQuery[] = [
  {},
  ...filters,
  { groupBy: 'resource_type', limit: 5 },
  ...resolutions.map((resolution) => ({ resolution })),
];

/** The workspace of the target and up to two others of the account. */
async function workspacesOf(run: Run, caller: CredentialName): Promise<[string, ...string[]]> {
  const { workspace: configured = '' } = run.target;
  const names = new Set([configured, ...(await listWorkspaces(run, caller))]);
  names.delete('');
  const [first, ...others] = names;
  return [run.need(first, 'the workspace of the target'), ...others.slice(0, 2)];
}

/** An account admin groups by workspace; other callers use the workspace that enriches resource names. */
async function listWorkspaces(run: Run, caller: CredentialName): Promise<string[]> {
  const hasAdmin = run.target.credentials.admin !== undefined;
  const client = run.as(hasAdmin ? 'admin' : caller);
  const groupBy = hasAdmin ? 'workspace' : 'resource_name';
  const grouped = await requestMetrics(client, { ...recentDays(run), resolution: 'daily', groupBy });
  // Another rule checks whether this is permitted.
  return grouped.response.status === 200 ? parseMetrics(grouped).data.map((entry) => valueOf(entry, 'workspace')) : [];
}

async function workspaceFilterQueries(run: Run, caller: CredentialName): Promise<MetricsQuery[]> {
  const [workspace, ...others] = await workspacesOf(run, caller);
  const grouped = withoutWorkspace.map((set) => ({ groupBy: set.join(',') }));
  const filtered = filters.map((filter) => ({ ...filter, groupBy: 'resource_type' }));
  const otherWorkspaces = others.flatMap((other) => [
    { workspace: other },
    { workspace: other, groupBy: 'resource_type' },
  ]);
  return [...[...plainQueries, ...grouped, ...filtered].map((query) => ({ ...query, workspace })), ...otherWorkspaces];
}

function groupByWorkspaceQueries(): MetricsQuery[] {
  const filtered = plainQueries.map((query) => ({ ...query, groupBy: 'workspace' }));
  const mixed = filters.map((filter) => ({ ...filter, groupBy: 'resource_type,workspace' }));
  return [...withWorkspace.map((order) => ({ groupBy: order.join(',') })), ...filtered, ...mixed];
}

const filteredAndGrouped = (workspace: string, orders: readonly (readonly string[])[]): MetricsQuery[] =>
  orders.map((order) => ({ groupBy: order.join(','), workspace }));

/** A caller that may not filter by workspace may learn that a workspace does not exist, and nothing else. */
async function checkUnknownWorkspace(run: Run, caller: CallerName): Promise<void> {
  const queries = [{}, { groupBy: 'resource_type' }].map((query) => ({
    ...lastOf(pastWindow(run), DAY),
    ...query,
    workspace: UNUSED_NAME,
  }));
  await checkEachQuery(run, run.as(caller), queries, (exchange) =>
    [400, 404].includes(exchange.response.status) ? [] : accessDenied(exchange),
  );
}

function accessDenied(exchange: Exchange): Mismatch[] {
  const body = exchange.response.json;
  const message = fieldsOf(body)?.['message'];
  const found = message === undefined ? 'no message' : formatValue(message, 80);
  const messageMismatches =
    message === 'Access denied' ? [] : [{ expected: 'message "Access denied"', actual: found, exchange }];
  return [...status(exchange, 403), ...messageMismatches];
}

type Check = (exchange: Exchange) => Mismatch[];

/** Checks each list of queries over the last day, and its first queries also over the whole past window. */
async function checkAll(
  run: Run,
  caller: CredentialName,
  lists: readonly (readonly MetricsQuery[])[],
  check: Check,
): Promise<void> {
  const past = pastWindow(run);
  for (const queries of lists) {
    const [first = [], ...others] = queries.map((query) => [{ ...lastOf(past, DAY), ...query }]);
    const overWholeWindow = queries.slice(0, 2).map((query) => ({ ...past, ...query }));
    await checkEachQuery(run, run.as(caller), [...first, ...overWholeWindow, ...others.flat()], check);
  }
  await checkAfterAdmin(run, caller, lists.flat(), check);
}

/** Checks some queries right after an account admin has sent them, every other one with the brand's authorization header. */
async function checkAfterAdmin(
  run: Run,
  caller: CredentialName,
  queries: readonly MetricsQuery[],
  check: Check,
): Promise<void> {
  const { value: token } = run.need(run.target.credentials[caller], `the credential ${caller}`);
  const clients = { brand: byBrandHeader(run, run.as(caller), token), standard: run.as(caller) };
  // No other case sends these as this caller.
  const days = lastOf(pastWindow(run), 2 * DAY);
  const sample = queries.filter((_, at) => at % Math.ceil(queries.length / MAX_SAMPLE) === 0);
  const headers = ['brand', 'standard'] as const;
  await run.forEach(
    sample.map((query, at) => ({ query: { ...days, ...query }, header: headers[at % 2]! })),
    async ({ query, header }) => {
      if (run.target.credentials.admin !== undefined) await requestMetrics(run.as('admin'), query);
      return check(await requestMetrics(clients[header], query));
    },
  );
}

const MAX_SAMPLE = 10;

/** A cursor of another query may be refused with 400 or 403. */
function refusalMismatches(exchange: Exchange): Mismatch[] {
  return exchange.response.status === 400 ? [] : accessDenied(exchange);
}

/** Cursors of readable first pages, combined with parameters that only account admins may use. */
async function adminSecondPages(run: Run, caller: CallerName, forAdmins: MetricsQuery): Promise<MetricsQuery[]> {
  const readable = { ...pastWindow(run), groupBy: 'resource_type', limit: 1 };
  const configured = await cursorOf(run.as(caller), readable);
  const admins = run.target.credentials.admin && (await cursorOf(run.as('admin'), { ...readable, ...forAdmins }));
  return [configured, admins].flatMap((cursor) => (cursor ? [{ ...readable, ...forAdmins, cursor }] : []));
}

/** '' if there is no next page or the first page is refused, which another rule checks. */
async function cursorOf(client: Client, query: MetricsQuery): Promise<string> {
  const exchange = await requestMetrics(client, query);
  return exchange.response.status === 200 ? parseMetrics(exchange).meta.nextCursor : '';
}

async function secondPagesFilteredByWorkspace(run: Run, caller: CredentialName): Promise<MetricsQuery[]> {
  const [workspace] = await workspacesOf(run, caller);
  return adminSecondPages(run, caller, { workspace });
}

const secondPagesGroupedByWorkspace = (run: Run, caller: CallerName): Promise<MetricsQuery[]> =>
  adminSecondPages(run, caller, { groupBy: 'resource_type,workspace' });

judges(
  'metrics.roles.workspace-filter-admin-only',
  'getAccountMetrics',
  judgeDenied('member', filtersByWorkspace, accessDenied),
);

conforms('metrics.roles.workspace-filter-admin-only', async (run) => {
  const member = run.as('member');
  await checkUnknownWorkspace(run, 'member');
  const [workspace] = await workspacesOf(run, 'member');
  const both = filteredAndGrouped(workspace, setsWithWorkspace);
  await checkAll(run, 'member', [[...(await workspaceFilterQueries(run, 'member')), ...both]], accessDenied);
  await checkEachQuery(run, member, await secondPagesFilteredByWorkspace(run, 'member'), refusalMismatches);
  await checkSpellings(run, member, filteredBy(workspace), accessDenied);
});

judges(
  'metrics.roles.group-by-workspace-admin-only',
  'getAccountMetrics',
  judgeDenied('member', groupsByWorkspace, accessDenied),
);
alsoJudges('metrics.roles.group-by-workspace-admin-only', judgeAmbiguousGroups('member'));

conforms('metrics.roles.group-by-workspace-admin-only', async (run) => {
  const member = run.as('member');
  await checkAll(run, 'member', [groupByWorkspaceQueries()], accessDenied);
  await checkEachQuery(run, member, await secondPagesGroupedByWorkspace(run, 'member'), refusalMismatches);
  await checkSpellings(run, member, groupedByWorkspace, accessDenied);
});

judges(
  'metrics.roles.member-may-ask-the-rest',
  'getAccountMetrics',
  judgePermitted('member', (seen) => !usesWorkspace(seen)),
);

conforms('metrics.roles.member-may-ask-the-rest', judgedOn(metricsTraffic, 'a query of a member'));

judges(
  'metrics.roles.workspace-admin-is-not-account-admin',
  'getAccountMetrics',
  judgeDenied('workspaceAdmin', (seen) => filtersByWorkspace(seen) || groupsByWorkspace(seen), accessDenied),
);

conforms('metrics.roles.workspace-admin-is-not-account-admin', async (run) => {
  const client = run.as('workspaceAdmin');
  const [workspace] = await workspacesOf(run, 'workspaceAdmin');
  const both = filteredAndGrouped(workspace, setsWithWorkspace);
  const filtered = [...(await workspaceFilterQueries(run, 'workspaceAdmin')), ...both];
  await checkAll(run, 'workspaceAdmin', [groupByWorkspaceQueries(), filtered], accessDenied);
  await checkSpellings(run, client, groupedByWorkspace, accessDenied);
  await checkSpellings(run, client, filteredBy(workspace), accessDenied);
  const secondPages = [
    await secondPagesFilteredByWorkspace(run, 'workspaceAdmin'),
    await secondPagesGroupedByWorkspace(run, 'workspaceAdmin'),
  ];
  await checkEachQuery(run, client, secondPages.flat(), refusalMismatches);
});

judges('metrics.roles.admin-may-use-both', 'getAccountMetrics', judgePermitted('admin', usesWorkspace));

conforms('metrics.roles.admin-may-use-both', judgedOn(metricsTraffic, 'a query of an account admin by workspace'));
