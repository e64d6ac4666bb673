/** Known workloads of each type whose images a cleanup must keep, and whether they respond. */
import type { OperationId } from '../../spec/operations.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { discover, isOnlyModern } from '../kit/mcp/eras.ts';
import { inSession } from '../kit/mcp/session.ts';
import { queryAgent } from '../kit/provision/agents.ts';
import type { Exchange } from '../target/client.ts';

export interface Workload {
  /** `agent "demo-agent"`. */
  readonly label: string;
  /** A data plane request that succeeds if the workload is running. */
  readonly ask: () => Promise<Exchange>;
  /** Reads the workload, if the target has that operation. */
  readonly get: OperationId;
  readonly path: Readonly<Record<string, string>>;
}

export function agentWorkload(run: Run, agentName: string): Workload {
  return { label: `agent "${agentName}"`, ask: () => queryAgent(run, agentName), get: 'getAgent', path: { agentName } };
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
  const send = async (): Promise<Exchange> => {
    if (await isOnlyModern(run, endpoint)) return (await discover(run, endpoint)).exchange;
    return inSession(run, endpoint, async ({ started: begun }) => begun.exchange);
  };
  return { label: `function "${functionName}"`, ask: send, get: 'getFunction', path: { functionName } };
}

function sandboxWorkload(run: Run, sandboxName: string): Workload {
  const send = () => run.client.call('listMultipartUploads');
  return { label: `sandbox "${sandboxName}"`, ask: send, get: 'getSandbox', path: { sandboxName } };
}

function jobWorkload(run: Run, jobName: string): Workload {
  const send = () => run.client.call('createJobExecution', { path: { jobName }, body: { tasks: [{}] } });
  return { label: `job "${jobName}"`, ask: send, get: 'getJob', path: { jobName } };
}

/** Those that serve now. */
export async function serving(workloads: readonly Workload[]): Promise<Workload[]> {
  const responses = await Promise.all(workloads.map(({ ask: send }) => send()));
  return workloads.filter((_, at) => isSuccessful(responses[at]!));
}

/** Each responds as before, possibly after starting again. `cleanUp` is the exchange in between. */
export async function stillServe(run: Run, workloads: readonly Workload[], cleanUp: Exchange): Promise<Mismatch[]> {
  const responses = await Promise.all(
    workloads.map(async ({ label, ask: send }) => ({
      label,
      exchange: await eventually(send, isSuccessful, run.patienceSeconds),
    })),
  );
  return responses
    .filter(({ exchange }) => !isSuccessful(exchange))
    .map(({ label, exchange }) => ({
      expected: `${label} serves as before the clean-up`,
      actual: `${label} responds with ${exchange.response.status}`,
      exchange,
      before: [cleanUp],
    }));
}
