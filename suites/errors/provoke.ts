/** Provokes the errors whose bodies are documented, each with one mistake in the request. */
import { headerNames } from '../../spec/brand.ts';
import { operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { agentToChange } from '../kit/provision/agents.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import { isRepeatable } from '../kit/provision/writes.ts';
import type { Client, Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { isVersionRefusal, withVersion } from '../kit/versions/with-version.ts';
import { unlistedDeletions } from '../kit/versions/deletions.ts';
import { acceptedCreates, harmlessRequests, validRequests } from '../kit/versions/requests.ts';

/** The documented error statuses of an agent update. Any other status has no documented body. */
const DOCUMENTED = new Set([400, 401, 403, 404, 500]);

/** Documented errors of an agent update. Empty if the run may not write or has no agent to update. */
export async function agentUpdateErrors(run: Run): Promise<Exchange[]> {
  const agent = await undefinedIfNotTried(agentToChange(run));
  if (agent === undefined) return [];
  const responses = [];
  for (const update of [...badCallers(run), ...badNames(run), ...badConfigurations(agent)]) {
    responses.push(await (update.as ?? run.client).call('updateAgent', updateOf(update.agent ?? agent, update)));
  }
  responses.push(...(await unreadableBodies(run, agent)));
  return responses.filter(({ response }) => DOCUMENTED.has(response.status));
}

/** The only mistake of an otherwise valid agent update. */
interface BadUpdate extends Pick<CallInput, 'body' | 'headers'> {
  readonly as?: Client;
  readonly agent?: string;
}

function updateOf(agent: string, { body, headers }: BadUpdate): CallInput {
  const valid = { metadata: { name: agent }, spec: {} };
  return {
    path: { agentName: agent },
    body: body === undefined ? valid : body,
    ...(headers === undefined ? {} : { headers }),
  };
}

function badCallers(run: Run): BadUpdate[] {
  const names = headerNames(run.target.brand);
  const headers = ['Bearer', 'Bearer ', 'assay', 'Basic YXNzYXk6YXNzYXk=', 'Bearer a.b.c'];
  const unrelated = run.target.credentials.unrelated === undefined ? [] : [{ as: run.as('unrelated') }];
  return [
    { as: run.as('none') },
    { as: run.as({ token: 'assay-unknown-credential' }) },
    { as: run.as('none'), headers: { [names.authorization]: 'Bearer assay-unknown-credential' } },
    ...headers.map((Authorization) => ({ as: run.as('none'), headers: { Authorization } })),
    { headers: { [names.version]: '2026-04-17' } },
    ...unrelated,
  ];
}

function badNames({ prefix }: Run): BadUpdate[] {
  return [`${prefix}none`, `${prefix}0`, `${prefix}none-2`].map((agent) => ({ agent }));
}

function badConfigurations(name: string): BadUpdate[] {
  const metadata = { name };
  const specs = [
    { enabled: 'yes' },
    { runtime: { generation: 'mk9' } },
    { runtime: { memory: 'large' } },
    { triggers: {} },
    { triggers: [{ type: 'assay' }] },
    { triggers: [{ type: 'cron', configuration: { schedule: '* * *' } }] },
  ];
  const bodies: unknown[] = [
    [],
    'agent',
    1,
    null,
    {},
    { metadata },
    { spec: {} },
    { metadata, spec: [] },
    ...specs.map((spec) => ({ metadata, spec })),
  ];
  return bodies.map((body) => ({ body }));
}

/** Bodies that are not JSON. */
async function unreadableBodies(run: Run, agent: string): Promise<Exchange[]> {
  const responses = [];
  for (const body of ['{', '{"metadata":', 'metadata', `{'metadata': {}}`]) {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
    responses.push(
      await run.client.send({
        surface: 'management',
        method: 'PUT',
        path: `/agents/${encodeURIComponent(agent)}`,
        headers,
        body,
      }),
    );
  }
  return responses;
}

/** Metrics requests that need the account-admin role: documented as 403 with the message "Access denied". */
export async function metricsDenials(run: Run): Promise<Exchange[]> {
  const { account, workspace = 'assay', credentials } = run.target;
  const callers = [credentials.member && run.as('member'), credentials.workspaceAdmin && run.as('workspaceAdmin')];
  const responses = [];
  for (const caller of callers) {
    if (caller === undefined || account === undefined) continue;
    for (const query of [{ workspace }, { groupBy: 'workspace' }, { groupBy: 'resource_type,workspace' }]) {
      responses.push(await caller.call('getAccountMetrics', { query: { ...pastWindow(run), ...query } }));
    }
  }
  return responses.filter(({ response }) => response.status === 403);
}

/**
 * Refused versions: 400 for a request that succeeds without the version. Also without a credential or with an unknown
 * one, if the response says that the version is refused.
 */
export async function versionRefusals(run: Run, versions: readonly string[]): Promise<Exchange[]> {
  const strangers = [run.as('none'), run.as({ token: 'assay-unknown-credential' })];
  const refusals = [];
  for (const request of (await validRequests(run)).values()) {
    const reads = operation(request.id).method === 'GET';
    for (const version of reads ? versions : versions.slice(0, 1)) {
      refusals.push(await withVersion(run, request, version));
      for (const as of reads ? strangers : []) {
        const exchange = await withVersion(run, request, version, { as });
        if (isVersionRefusal(exchange)) refusals.push(exchange);
      }
    }
  }
  refusals.push(...(await unlistedDeletions(run, versions.slice(0, 1))));
  return refusals.filter(({ response }) => response.status === 400);
}

/** Errors of the other management operations. Their bodies are undocumented, except that a code equals the HTTP status. */
export async function otherManagementErrors(run: Run): Promise<Exchange[]> {
  const responses = [];
  for (const request of harmlessRequests(run)) {
    responses.push(await run.client.call(request.id, request.input()));
    responses.push(await run.as('none').call(request.id, request.input()));
  }
  responses.push(await run.client.call('getIntegration', { path: { integrationName: `${run.prefix}none` } }));
  responses.push(...(await secondCreates(run)), ...(await metricsErrors(run)));
  return responses.filter(({ response }) => response.status >= 400);
}

/** Creates of an existing name, if the target can remove what it creates. */
async function secondCreates(run: Run): Promise<Exchange[]> {
  const responses = [];
  for (const create of (await acceptedCreates(run)).filter((each) => isRepeatable(run, each))) {
    const input = create.input(plainMetadata(run));
    await run.client.call(create.id, input);
    responses.push(await run.client.call(create.id, input));
    await removeByRequestedName(run, create.id, input);
  }
  return responses;
}

async function metricsErrors(run: Run): Promise<Exchange[]> {
  if (run.target.account === undefined) return [];
  const window = pastWindow(run);
  const bad = [
    { startTime: undefined },
    { endTime: 'assay' },
    { resolution: 'assay' },
    { groupBy: 'assay' },
    { limit: 'assay' },
    { cursor: 'assay' },
  ];
  const responses = [];
  for (const query of bad)
    responses.push(await run.client.call('getAccountMetrics', { query: { ...window, ...query } }));
  responses.push(await run.client.call('listMetricsResourceTypes', { query: {} }));
  responses.push(
    await run.client.call('getAccountMetrics', { path: { accountId: `${run.prefix}none` }, query: { ...window } }),
  );
  return responses;
}
