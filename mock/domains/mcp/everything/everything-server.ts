/** An MCP server with every feature of the protocol, under the names that the official conformance suite uses. */
import { McpServer } from '@modelcontextprotocol/server';
import { registerClientRequestTools } from './client-request-tools.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { registerTools } from './tools.ts';

export function everythingServer(name: string): McpServer {
  const server = new McpServer(
    { name, version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true }, completions: {} } },
  );
  registerTools(server);
  registerClientRequestTools(server);
  registerResources(server);
  registerPrompts(server);
  return server;
}
