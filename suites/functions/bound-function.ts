/** Invalid responses of a function with an integration connection (decision 043). */
import { mcpInitialize } from '../kit/auth/mcp-session.ts';
import { eventually } from '../target/eventually.ts';
import { isFinalStatus } from '../expect/final-status.ts';
import { hasResponse } from '../kit/mcp/expect.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { isFinal } from '../kit/mcp/eras.ts';
import { modernInput } from '../kit/mcp/modern.ts';
import { request } from '../kit/mcp/post.ts';
import type { Connection, McpResponse } from '../kit/mcp/post.ts';
import { readBack } from '../kit/provision/writes.ts';
import { returnedResource } from '../kit/resources/returned-resource.ts';
import type { Run } from '../engine/run.ts';
import type { StepResult } from '../engine/sequence.ts';
import type { CallInput } from '../target/request-types.ts';
import type { Mismatch } from '../target/violation.ts';

export interface BoundCall {
  /** What created it. */
  readonly input: CallInput;
  readonly name: string;
  /** How long to wait for its deployment. */
  readonly deploymentSeconds: number;
  /** How long to wait for an invalid response to become valid. */
  readonly seconds: number;
}

/** Receiving a whole response takes time, even with a timeout of 0. */
const MIN_CALLBACK_SECONDS = 1;

/** Only judges 200 responses while the status is DEPLOYED: the function may not be running, or its connection may be invalid. */
export async function callBound(run: Run, { input, name, deploymentSeconds, seconds }: BoundCall): Promise<StepResult> {
  const read = await eventually(
    () => readBack(run, 'createFunction', input),
    (exchange) => exchange === undefined || isFinalStatus(returnedResource(exchange)?.resource['status']),
    deploymentSeconds,
  );
  const isDeployed = read !== undefined && returnedResource(read)?.resource['status'] === 'DEPLOYED';
  const mismatchesOf = (response: McpResponse): Mismatch[] =>
    isDeployed && response.exchange.response.status === 200 ? hasResponse(response) : [];
  const response = await eventually(
    () => begin({ run, endpoint: functionEndpoint(name), headers: {} }, Math.max(seconds, MIN_CALLBACK_SECONDS)),
    (each) => mismatchesOf(each).length === 0,
    seconds,
  );
  return {
    exchanges: read === undefined ? [response.exchange] : [read, response.exchange],
    mismatches: mismatchesOf(response),
  };
}

/** With `initialize`, or with `server/discover` if the function refuses that: it may support only version 2026-07-28. */
async function begin(connection: Connection, timeoutSeconds: number): Promise<McpResponse> {
  const initialized = await request(connection, 1, mcpInitialize.body as object, timeoutSeconds);
  if (initialized.exchange.response.status < 400 || !isFinal(initialized)) return initialized;
  const { headers, body } = modernInput(1, 'server/discover');
  return request({ ...connection, headers, isStateless: true }, 1, body, timeoutSeconds);
}
