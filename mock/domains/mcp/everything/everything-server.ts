/** An MCP server with every feature of the protocol, under the names that the official conformance suite uses. */
import { McpServer } from '@modelcontextprotocol/server';
import { registerClientRequestTools } from './client-request-tools.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { registerTools } from './tools.ts';

/** `prepare` is called before any tool is registered. */
export function everythingServer(name: string, prepare: (server: McpServer) => void = () => {}): McpServer {
  const server = new McpServer(
    { name, version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true }, completions: {} } },
  );
  prepare(server);
  registerTools(server);
  registerClientRequestTools(server);
  registerResources(server);
  registerPrompts(server);
  return server;
}
