/** Provokes the errors whose bodies are documented, one fault a request. */
import { headerNames } from '../../spec/brand.ts';
import { operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { agentToChange } from '../kit/provision/agents.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { removeByName } from '../kit/provision/removal.ts';
import { isRepeatable } from '../kit/provision/writes.ts';
import type { Client, Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { isVersionRefusal, withVersion } from '../kit/versions/ask.ts';
import { unlistedDeletions } from '../kit/versions/deletions.ts';
import { acceptedCreates, harmlessRequests, validRequests } from '../kit/versions/requests.ts';

/** Agent update documents its errors by status: any other status has no documented body. */
const DOCUMENTED = new Set([400, 401, 403, 404, 500]);

/** Documented errors of agent update; none where the run may not write or has no agent to change. */
export async function agentUpdateErrors(run: Run): Promise<Exchange[]> {
  const agent = await undefinedIfNotTried(agentToChange(run));
  if (agent === undefined) return [];
  const answers = [];
  for (const ask of [...badCallers(run), ...badNames(run), ...badConfigurations(agent)]) {
    answers.push(await (ask.as ?? run.client).call('updateAgent', updateOf(ask.agent ?? agent, ask)));
  }
  answers.push(...(await unreadableBodies(run, agent)));
  return answers.filter(({ response }) => DOCUMENTED.has(response.status));
}

/** What is wrong with one agent update; the rest of it is right. */
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

/** Bodies that are no JSON. */
async function unreadableBodies(run: Run, agent: string): Promise<Exchange[]> {
  const answers = [];
  for (const body of ['{', '{"metadata":', 'metadata', `{'metadata': {}}`]) {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
    answers.push(
      await run.client.send({
        surface: 'management',
        method: 'PUT',
        path: `/agents/${encodeURIComponent(agent)}`,
        headers,
        body,
      }),
    );
  }
  return answers;
}

/** Metrics that a caller without the account-admin role may not ask for: documented 403, message Access denied. */
export async function metricsDenials(run: Run): Promise<Exchange[]> {
  const { account, workspace = 'assay', credentials } = run.target;
  const callers = [credentials.member && run.as('member'), credentials.workspaceAdmin && run.as('workspaceAdmin')];
  const answers = [];
  for (const caller of callers) {
    if (caller === undefined || account === undefined) continue;
    for (const query of [{ workspace }, { groupBy: 'workspace' }, { groupBy: 'resource_type,workspace' }]) {
      answers.push(await caller.call('getAccountMetrics', { query: { ...pastWindow(run), ...query } }));
    }
  }
  return answers.filter(({ response }) => response.status === 403);
}

/**
 * Refused versions: 400 to a request that is answered 2xx without the version. Callers whose credential is missing or
 * unknown too, where the answer says that it is the version that is refused.
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

/** Errors of the other management operations: their bodies are not documented, except that a code is the HTTP status. */
export async function otherManagementErrors(run: Run): Promise<Exchange[]> {
  const answers = [];
  for (const request of harmlessRequests(run)) {
    answers.push(await run.client.call(request.id, request.input()));
    answers.push(await run.as('none').call(request.id, request.input()));
  }
  answers.push(await run.client.call('getIntegration', { path: { integrationName: `${run.prefix}none` } }));
  answers.push(...(await secondCreates(run)), ...(await metricsErrors(run)));
  return answers.filter(({ response }) => response.status >= 400);
}

/** Of a name that is taken, where the target removes what it creates. */
async function secondCreates(run: Run): Promise<Exchange[]> {
  const answers = [];
  for (const create of (await acceptedCreates(run)).filter((each) => isRepeatable(run, each))) {
    const input = create.input(plainMetadata(run));
    await run.client.call(create.id, input);
    answers.push(await run.client.call(create.id, input));
    await removeByName(run, create.id, input);
  }
  return answers;
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
  const answers = [];
  for (const query of bad) answers.push(await run.client.call('getAccountMetrics', { query: { ...window, ...query } }));
  answers.push(await run.client.call('listMetricsResourceTypes', { query: {} }));
  answers.push(
    await run.client.call('getAccountMetrics', { path: { accountId: `${run.prefix}none` }, query: { ...window } }),
  );
  return answers;
}
