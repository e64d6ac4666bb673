/** Known workloads of each type whose images a cleanup must keep, and whether they respond. */
import type { OperationId } from '../../spec/operations.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { discover, isOnlyModern, isStarted } from '../kit/mcp/eras.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import { inSession } from '../kit/mcp/session.ts';
import { queryAgent } from '../kit/provision/agents.ts';
import type { Exchange } from '../target/client.ts';

interface Outcome {
  readonly exchange: Exchange;
  readonly isServed: boolean;
}

export interface Workload {
  /** `agent "demo-agent"`. */
  readonly label: string;
  /** Sends a data plane request that succeeds if the workload is running. */
  readonly ask: () => Promise<Outcome>;
  /** Reads the workload, if the target has that operation. */
  readonly get: OperationId;
  readonly path: Readonly<Record<string, string>>;
}

const outcomeOf = (exchange: Exchange): Outcome => ({ exchange, isServed: isSuccessful(exchange) });

/** A JSON-RPC error may have status 200. */
const mcpOutcomeOf = (response: McpResponse): Outcome => ({
  exchange: response.exchange,
  isServed: isSuccessful(response.exchange) && isStarted(response),
});

export function agentWorkload(run: Run, agentName: string): Workload {
  return {
    label: `agent "${agentName}"`,
    ask: async () => outcomeOf(await queryAgent(run, agentName)),
    get: 'getAgent',
    path: { agentName },
  };
}

/** Those named in the target file. */
export function namedWorkloads(run: Run): Workload[] {
  const { agent, mk3Agent, function: functionName, sandbox, job } = run.target.resources;
  const each = <Name>(name: Name | undefined, make: (run: Run, name: Name) => Workload): Workload[] =>
    name === undefined ? [] : [make(run, name)];
  return [
    ...each(agent, agentWorkload),
    ...each(mk3Agent, agentWorkload),
    ...each(functionName, functionWorkload),
    ...each(run.target.addresses.sandbox && sandbox, sandboxWorkload),
    ...each(job, jobWorkload),
  ];
}

function functionWorkload(run: Run, functionName: string): Workload {
  const endpoint = functionEndpoint(functionName);
  const send = async (): Promise<Outcome> => {
    if (await isOnlyModern(run, endpoint)) return mcpOutcomeOf(await discover(run, endpoint));
    return inSession(run, endpoint, async ({ started }) => mcpOutcomeOf(started));
  };
  return { label: `function "${functionName}"`, ask: send, get: 'getFunction', path: { functionName } };
}

function sandboxWorkload(run: Run, sandboxName: string): Workload {
  const send = async () => outcomeOf(await run.client.call('listMultipartUploads'));
  return { label: `sandbox "${sandboxName}"`, ask: send, get: 'getSandbox', path: { sandboxName } };
}

function jobWorkload(run: Run, jobName: string): Workload {
  const send = async () =>
    outcomeOf(await run.client.call('createJobExecution', { path: { jobName }, body: { tasks: [{}] } }));
  return { label: `job "${jobName}"`, ask: send, get: 'getJob', path: { jobName } };
}

/** Those that serve now. */
export async function serving(workloads: readonly Workload[]): Promise<Workload[]> {
  const outcomes = await Promise.all(workloads.map(({ ask: send }) => send()));
  return workloads.filter((_, at) => outcomes[at]!.isServed);
}

/** Each responds as before, possibly after starting again. `cleanUp` is the exchange in between. */
export async function stillServe(run: Run, workloads: readonly Workload[], cleanUp: Exchange): Promise<Mismatch[]> {
  const responses = await Promise.all(
    workloads.map(async ({ label, ask: send }) => ({
      label,
      ...(await eventually(send, ({ isServed }) => isServed, run.patienceSeconds)),
    })),
  );
  return responses
    .filter(({ isServed }) => !isServed)
    .map(({ label, exchange }) => ({
      expected: `${label} serves as before the clean-up`,
      actual: `${label} responds with ${isSuccessful(exchange) ? 'no result' : exchange.response.status}`,
      exchange,
      before: [cleanUp],
    }));
}
