/** A valid request of every documented operation of inference, jobs and sandboxes that the target has resources for. */
import type { OperationId } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { queryableAgent } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { ownDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { watchInput } from '../kit/sandbox/watch-path.ts';
import type { Client } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { NotTried } from '../target/violation.ts';
import { respondsBeforeEvents } from '../kit/stream-head.ts';
import type { TriggerEvents } from '../kit/stream-head.ts';
import { mcpInitialize, mcpSession, withBothMediaTypes } from '../kit/auth/mcp-session.ts';
import { functionEndpoint, sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { firstEras } from '../kit/mcp/eras.ts';
import { modernInput } from '../kit/mcp/modern.ts';
import { inNewThread } from '../kit/new-thread.ts';
import { sharedValue } from '../engine/shared-values.ts';

const acceptedModelInput = sharedValue<CallInput>();
/** Whether the mk3 agent was closed when the run first read it. */
const wasClosed = sharedValue<boolean>();

export interface DataPlaneRequest {
  readonly id: OperationId;
  /** The request's parameters. If the operation needs a session, begins one with the credential of this client. */
  input(client: Client): Promise<CallInput>;
  /** The response is a stream that may never end. */
  readonly streams?: true;
  /** Causes the first event of that stream, for targets that send the response headers with it. */
  readonly triggerEvents?: TriggerEvents;
  /** Its input is valid for one request only. */
  readonly isSingleUse?: true;
  /** Whether it still requires a credential. Omitted if that cannot change. */
  isClosed?(): Promise<boolean>;
  /** Whether the target responds to it in time. Omitted if every target does. */
  readonly isUsable?: () => Promise<boolean>;
}

export async function dataPlaneRequests(run: Run): Promise<DataPlaneRequest[]> {
  return [...(await inference(run)), ...jobs(run), ...(await sandbox(run))];
}

/** The models, the function and, if the run may write, the job of the target: each without a session. */
export function workloadRequests(run: Run): DataPlaneRequest[] {
  const { addresses, workspace, resources } = run.target;
  const { function: serverName } = resources;
  const isReachable = addresses.inference !== undefined && workspace !== undefined;
  return [
    ...(isReachable ? modelRequests(run) : []),
    ...(isReachable && serverName !== undefined
      ? [mcpStart, otherMcpStart].map((start) => start(run, functionEndpoint(serverName)))
      : []),
    ...jobs(run),
  ];
}

/**
 * Reads of the sandbox, the agent, then the other workloads, each without a session. Only an agent that is not of
 * generation mk3 is certainly not public.
 */
export function closedRequests(run: Run): DataPlaneRequest[] {
  const { addresses, resources, workspace } = run.target;
  const { agent } = resources;
  const hasAgent = addresses.inference !== undefined && workspace !== undefined && agent !== undefined;
  return [
    ...(addresses.sandbox === undefined
      ? []
      : [request('readTree', { path: { path: 'tmp' } }), request('listMultipartUploads', {})]),
    ...(hasAgent ? [request('queryAgent', { path: { agent }, body: { inputs: 'Hello' } })] : []),
    ...workloadRequests(run),
  ];
}

async function inference(run: Run): Promise<DataPlaneRequest[]> {
  const { addresses, workspace, resources } = run.target;
  if (addresses.inference === undefined || workspace === undefined) return [];
  const { function: serverName } = resources;
  const agent = await agentIfAny(run);
  return [
    ...(agent === undefined ? [] : agentRequests(run, agent)),
    ...(await closedMk3Requests(run)),
    ...modelRequests(run),
    ...(serverName === undefined ? [] : await mcp(run, functionEndpoint(serverName))),
  ];
}

/** With an input that does not depend on the caller. */
export const request = (id: OperationId, input: CallInput): DataPlaneRequest => ({ id, input: async () => input });

/** With a thread and without one. */
function agentRequests(run: Run, agent: string): DataPlaneRequest[] {
  const input = { path: { agent }, body: { inputs: 'Hello' } };
  return [request('queryAgent', input), request('queryAgent', { ...input, headers: inNewThread(run) })];
}

/** Queries of the target's mk3 agent, if the target reports that it is not public. Another run may publish it meanwhile. */
async function closedMk3Requests(run: Run): Promise<DataPlaneRequest[]> {
  const { mk3Agent: agent } = run.target.resources;
  if (agent === undefined) return [];
  const isClosed = async (): Promise<boolean> => {
    const read = await undefinedIfNotTried(run.client.call('getAgent', { path: { agentName: agent } }));
    const { spec, status } = (read?.response.json ?? {}) as { spec?: { public?: unknown } | null; status?: unknown };
    return read?.response.status === 200 && spec?.public === false && status === 'DEPLOYED';
  };
  return (await wasClosed.get(run, isClosed)) ? agentRequests(run, agent).map((each) => ({ ...each, isClosed })) : [];
}

/** Each model defines its own request body: sends the first of the usual ones that this model accepts, or else the first. */
function modelRequests(run: Run): DataPlaneRequest[] {
  const { model } = run.target.resources;
  if (model === undefined) return [];
  const path = { model };
  const messages = [{ role: 'user', content: 'Hello' }];
  const inputs = [{ inputs: 'Hello' }, { messages }, { prompt: 'Hello' }].map((body) => ({ path, body }));
  const acceptedInput = () =>
    acceptedModelInput.get(run, async () => {
      for (const input of inputs) if (isSuccessful(await run.client.call('queryModel', input))) return input;
      return { path, body: { inputs: 'Hello' } };
    });
  return [{ id: 'queryModel', input: acceptedInput }, request('createChatCompletion', { path, body: { messages } })];
}

/** An mk2 agent, which is never public: the target's own, or else one that the run creates, if it can. */
async function agentIfAny(run: Run): Promise<string | undefined> {
  const { agent } = run.target.resources;
  if (agent !== undefined || run.target.allow === 'read') return agent;
  return undefinedIfNotTried(queryableAgent(run));
}

function jobs(run: Run): DataPlaneRequest[] {
  const { resources, workspace, allow } = run.target;
  const { job } = resources;
  if (job === undefined || workspace === undefined || allow === 'read') return [];
  return [request('createJobExecution', { path: { jobName: job }, body: { tasks: [{ assay: run.newName() }] } })];
}

async function sandbox(run: Run): Promise<DataPlaneRequest[]> {
  if (run.target.addresses.sandbox === undefined) return [];
  const { created, path: own } = await ownDirectory(run);
  const path = { path: created === undefined ? 'tmp' : own };
  const files = { [`${run.newName()}.txt`]: 'assay' };
  return [
    ...(await mcp(run, sandboxEndpoint)),
    request('readTree', { path }),
    ...(run.target.allow === 'read' ? [] : [request('writeTree', { path, body: { files } })]),
    request('listMultipartUploads', {}),
    watch(run, path),
  ];
}

/** A read-only run cannot cause any event of a watch. */
function watch(run: Run, path: { readonly path: string }): DataPlaneRequest {
  const watched = { id: 'watchDirectory', input: () => watchInput(run, path.path), streams: true } as const;
  if (run.target.allow === 'read') return withImmediateHead(run, watched);
  return { ...watched, triggerEvents: () => putTree(run, path.path, { [`${run.newName()}.txt`]: 'assay' }) };
}

/** Not usable if the response headers arrive only with the first event. */
const withImmediateHead = (run: Run, candidate: DataPlaneRequest): DataPlaneRequest => ({
  ...candidate,
  isUsable: () => respondsBeforeEvents(run, candidate.id, () => candidate.input(run.client)),
});

const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

const modern = ({ post, path }: Endpoint, method: string): DataPlaneRequest => ({
  ...request(post, { path, ...withBothMediaTypes(modernInput(2, method)) }),
  streams: true,
});

/** Begins with whatever the server supports. */
const mcpStart = (run: Run, endpoint: Endpoint): DataPlaneRequest => ({
  id: endpoint.post,
  input: async (client) => {
    const { isLegacy, isModern } = await firstEras(run, endpoint);
    return isModern && !isLegacy
      ? modern(endpoint, 'server/discover').input(client)
      : { path: endpoint.path, ...mcpInitialize };
  },
  streams: true,
});

/** Begins the second way that a server of both eras supports: it may check credentials elsewhere. Otherwise not tried. */
const otherMcpStart = (run: Run, endpoint: Endpoint): DataPlaneRequest => {
  const start = modern(endpoint, 'server/discover');
  const input: DataPlaneRequest['input'] = async (client) => {
    const { isLegacy, isModern } = await firstEras(run, endpoint);
    if (!isLegacy || !isModern) throw new NotTried('an MCP server that supports requests with and without initialize');
    return start.input(client);
  };
  return { ...start, input };
};

async function mcp(run: Run, endpoint: Endpoint): Promise<DataPlaneRequest[]> {
  const { isLegacy, isModern } = await firstEras(run, endpoint);
  const withoutSession = ['server/discover', 'tools/list'].map((method) => modern(endpoint, method));
  return [...(isLegacy || !isModern ? legacy(run, endpoint) : []), ...(isModern ? withoutSession : [])];
}

/** All but the first need a session, if there are any. Without one they may be refused to every caller. */
function legacy(run: Run, endpoint: Endpoint): DataPlaneRequest[] {
  const { post, get, delete: remove, path } = endpoint;
  const inSession = async (client: Client): Promise<CallInput> => ({
    path,
    headers: await mcpSession(run, client, post, path),
  });
  return [
    mcpStart(run, endpoint),
    { id: post, input: async (client) => ({ ...(await inSession(client)), body: listTools }), streams: true },
    withImmediateHead(run, { id: get, input: inSession, streams: true, isSingleUse: true }),
    { id: remove, input: inSession, isSingleUse: true },
  ];
}
