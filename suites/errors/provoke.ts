/** Provokes the errors whose bodies are documented, each with one mistake in the request. */
import { headerNames } from '../../spec/brand.ts';
import { operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { agentSpec } from '../kit/agents/agent-spec.ts';
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
import type { ManagementRequest } from '../kit/versions/requests.ts';
import { interleave } from './provocations.ts';
import type { Provocations } from './provocations.ts';

/** The documented error statuses of an agent update. Any other status has no documented body. */
export const DOCUMENTED: ReadonlySet<number> = new Set([400, 401, 403, 404, 500]);

/** Documented errors of an agent update. Empty if the run may not write or has no agent to update. */
export async function agentUpdateErrors(run: Run): Promise<Provocations> {
  const agent = await undefinedIfNotTried(agentToChange(run));
  if (agent === undefined) return new Map();
  const invalid = interleave(badNames(run), badCallers(run), badConfigurations(agent)).map(
    ([name, update]): Provocation => [
      name,
      async () => [await (update.as ?? run.client).call('updateAgent', updateOf(run, update.agent ?? agent, update))],
    ],
  );
  const all = [...interleave(invalid, unreadableBodies(run, agent)), unknownVolume(run, agent)];
  return provocationsOf('agent update', all, (status) => DOCUMENTED.has(status));
}

type Provocation = readonly [name: string, send: () => Promise<readonly Exchange[]>];

/** Only responses with an expected status are errors to check. */
function provocationsOf(
  group: string,
  provocations: readonly Provocation[],
  isExpected: (status: number) => boolean,
): Provocations {
  return new Map(
    provocations.map(([name, send]) => [
      `${group}: ${name}`,
      async () => (await send()).filter(({ response }) => isExpected(response.status)),
    ]),
  );
}

/** The only mistake of an otherwise valid agent update. */
interface BadUpdate extends Pick<CallInput, 'body' | 'headers'> {
  readonly as?: Client;
  readonly agent?: string;
}

type NamedUpdate = readonly [name: string, update: BadUpdate];

function updateOf(run: Run, agent: string, { body, headers }: BadUpdate): CallInput {
  const valid = { metadata: { name: agent }, spec: agentSpec(run) };
  return {
    path: { agentName: agent },
    body: body === undefined ? valid : body,
    ...(headers === undefined ? {} : { headers }),
  };
}

function badCallers(run: Run): NamedUpdate[] {
  const names = headerNames(run.target.brand);
  const values = ['Bearer', 'Bearer ', 'assay', 'Basic YXNzYXk6YXNzYXk=', 'Bearer a.b.c'];
  const unknown = 'Bearer assay-unknown-credential';
  return [
    ['no credential', { as: run.as('none') }],
    [`${names.version}: 2026-04-17`, { headers: { [names.version]: '2026-04-17' } }],
    ['an unknown credential', { as: run.as({ token: 'assay-unknown-credential' }) }],
    ...(run.target.credentials.unrelated === undefined
      ? []
      : [['a token without the scope', { as: run.as('unrelated') }] as const]),
    [
      `an unknown credential in ${names.authorization}`,
      { as: run.as('none'), headers: { [names.authorization]: unknown } },
    ],
    ...values.map((Authorization): NamedUpdate => [
      `Authorization: ${JSON.stringify(Authorization)}`,
      { as: run.as('none'), headers: { Authorization } },
    ]),
  ];
}

function badNames({ prefix, unknownName }: Run): NamedUpdate[] {
  return [unknownName, `${prefix}0`, `${prefix}none-2`].map((agent) => [`the unknown agent ${agent}`, { agent }]);
}

function badConfigurations(name: string): NamedUpdate[] {
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
    {},
    ...specs.map((spec) => ({ metadata, spec })),
    'agent',
    null,
    { metadata },
    { spec: {} },
    { metadata, spec: [] },
    1,
  ];
  return bodies.map((body) => [`the body ${JSON.stringify(body)}`, { body }]);
}

/** In the region of the target's volume, if it has one. */
function unknownVolume(run: Run, agent: string): Provocation {
  const { client, unknownName: name, target } = run;
  const { region } = target.resources.volume ?? {};
  const volumes = [{ name, mountPath: '/mnt/assay' }];
  const spec = agentSpec(run, { volumes, ...(region !== undefined && { region }) });
  const body = { metadata: { name: agent }, spec };
  return [
    'a volume that does not exist',
    async () => [await client.call('updateAgent', updateOf(run, agent, { body }))],
  ];
}

/** Bodies that are not JSON. */
function unreadableBodies(run: Run, agent: string): Provocation[] {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const path = `/agents/${encodeURIComponent(agent)}`;
  return ['{', '{"metadata":', 'metadata', `{'metadata': {}}`].map((body) => [
    `the body ${body}`,
    async () => [await run.client.send({ surface: 'management', method: 'PUT', path, headers, body })],
  ]);
}

/** Metrics requests that need the account-admin role: documented as 403 with the message "Access denied". */
export function metricsDenials(run: Run): Provocations {
  const { account, workspace = 'assay', credentials } = run.target;
  const callers = (['member', 'workspaceAdmin'] as const).filter((name) => credentials[name] !== undefined);
  const queries = [{ workspace }, { groupBy: 'workspace' }, { groupBy: 'resource_type,workspace' }];
  const denials = queries.flatMap((query) =>
    callers.map((caller): Provocation => [
      `${caller}, ${new URLSearchParams(query).toString()}`,
      async () => [await run.as(caller).call('getAccountMetrics', { query: { ...pastWindow(run), ...query } })],
    ]),
  );
  return provocationsOf('metrics', account === undefined ? [] : denials, (status) => status === 403);
}

export const UNLISTED_VERSION = '2026-04-17';
const UNLISTED_VERSIONS = [UNLISTED_VERSION, 'latest', '2026-04-16.preview', '2026-13-45'];

/**
 * Refused versions: 400 for a request that succeeds without the version. Also without a credential or with an unknown
 * one, if the response says that the version is refused.
 */
export async function versionRefusals(run: Run): Promise<Provocations> {
  const callers = [
    { who: 'the strongest credential', as: run.client, isExpected: () => true },
    { who: 'no credential', as: run.as('none'), isExpected: isVersionRefusal },
    { who: 'an unknown credential', as: run.as({ token: 'assay-unknown-credential' }), isExpected: isVersionRefusal },
  ];
  const [reads, writes] = splitByMethod([...(await validRequests(run)).values()]);
  // Each version with each caller, and each read with each version.
  const refusedReads = UNLISTED_VERSIONS.flatMap((version, row) =>
    reads.map((request, column): Provocation => {
      const { who, as, isExpected } = callers[(row + column) % callers.length]!;
      const send = async () => [await withVersion(run, request, version, { as })].filter(isExpected);
      return [`${request.id}, ${version}, ${who}`, send];
    }),
  );
  const refusedWrites = writes.map((request): Provocation => [
    request.id,
    async () => [await withVersion(run, request, UNLISTED_VERSION)],
  ]);
  const refusedDeletions: Provocation = ['deletions', () => unlistedDeletions(run, [UNLISTED_VERSION])];
  const all = [...interleave(refusedReads, refusedWrites), refusedDeletions];
  return provocationsOf('unlisted version', all, (status) => status === 400);
}

function splitByMethod(
  requests: readonly ManagementRequest[],
): [reads: ManagementRequest[], writes: ManagementRequest[]] {
  const isRead = ({ id }: ManagementRequest): boolean => operation(id).method === 'GET';
  return [requests.filter(isRead), requests.filter((request) => !isRead(request))];
}

/** Errors of the other management operations. Their bodies are undocumented, except that a code equals the HTTP status. */
export async function otherManagementErrors(run: Run): Promise<Provocations> {
  const unknownIntegration: Provocation = [
    'an unknown integration',
    async () => [await run.client.call('getIntegration', { path: { integrationName: run.unknownName } })],
  ];
  const harmless = harmlessRequests(run);
  const denied = harmless.map(({ id, input }): Provocation => [
    `${id} without a credential`,
    async () => [await run.as('none').call(id, input())],
  ]);
  const incomplete = harmless.map(({ id, input }): Provocation => [
    id,
    async () => [await run.client.call(id, input())],
  ]);
  const all = interleave([unknownIntegration, ...incomplete], denied, metricsErrors(run), await secondCreates(run));
  return provocationsOf('other', all, (status) => status >= 400);
}

/** Creates of an existing name, if the target can remove what it creates. */
async function secondCreates(run: Run): Promise<Provocation[]> {
  const creates = (await acceptedCreates(run)).filter((each) => isRepeatable(run, each));
  return creates.map(({ id, input: inputOf }) => [
    `${id} of an existing name`,
    async () => {
      const input = inputOf(plainMetadata(run));
      await run.client.call(id, input);
      const second = await run.client.call(id, input);
      await removeByRequestedName(run, id, input);
      return [second];
    },
  ]);
}

function metricsErrors(run: Run): Provocation[] {
  if (run.target.account === undefined) return [];
  const window = pastWindow(run);
  const queries = [
    { startTime: undefined },
    { endTime: 'assay' },
    { resolution: 'assay' },
    { groupBy: 'assay' },
    { limit: 'assay' },
    { cursor: 'assay' },
  ];
  const unknownAccount = { path: { accountId: run.unknownName }, query: { ...window } };
  return [
    ...queries.map((query): Provocation => [
      `metrics with ${JSON.stringify(query, (_, value: unknown) => value ?? null)}`,
      async () => [await run.client.call('getAccountMetrics', { query: { ...window, ...query } })],
    ]),
    ['resource types without a window', async () => [await run.client.call('listMetricsResourceTypes', { query: {} })]],
    ['metrics of an unknown account', async () => [await run.client.call('getAccountMetrics', unknownAccount)]],
  ];
}
