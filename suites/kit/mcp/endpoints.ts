/** The two MCP endpoints of the interface. */
import type { OperationId } from '../../../spec/operations.ts';

export interface Endpoint {
  readonly post: OperationId;
  readonly get: OperationId;
  readonly delete: OperationId;
  readonly path: Record<string, string>;
}

export const functionEndpoint = (serverName: string): Endpoint => ({
  post: 'postFunctionMcp',
  get: 'getFunctionMcp',
  delete: 'deleteFunctionMcp',
  path: { serverName },
});

export const sandboxEndpoint: Endpoint = {
  post: 'postSandboxMcp',
  get: 'getSandboxMcp',
  delete: 'deleteSandboxMcp',
  path: {},
};
